"""Whether something looks as a scenario says it must, and if not, where it differs.

What is expected is a part of what is there: keys that it does not name do not matter, lists must be of one length. A
text that begins with ~ is to be found inside; "*" is anything that is there at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def differences(expected: object, seen: object, where: str = "") -> list[str]:
    """Each place where it is not as expected, in words; none where it fits.

    >>> differences({"outcome": "tie", "hands": {"banker": ["9h"]}}, {"outcome": "player", "hands": {"banker": ["9h"]}})
    ["outcome is 'player', not 'tie'"]
    """
    if isinstance(expected, Mapping):
        if not isinstance(seen, Mapping):
            return [f"{where or 'it'} is {seen!r}, not {dict(expected)!r}"]
        found = []
        for key, value in expected.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in seen:
                found.append(f"{place} is not there; it should be {value!r}" if value is not None else "")
            else:
                found += differences(value, seen[key], place)
        return [text for text in found if text]
    if isinstance(expected, str) and expected == "*":
        return []
    if isinstance(expected, str) and expected.startswith("~"):
        inside = seen if isinstance(seen, str) else str(seen)
        return [] if expected[1:] in inside else [f"{where} is {seen!r}, and {expected[1:]!r} is not in it"]
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        if not isinstance(seen, Sequence) or isinstance(seen, str) or len(seen) != len(expected):
            return [f"{where} is {seen!r}, not {list(expected)!r}"]
        return [
            text
            for index, (one, other) in enumerate(zip(expected, seen, strict=True))
            for text in differences(one, other, f"{where}[{index}]")
        ]
    return [] if expected == seen else [f"{where or 'it'} is {seen!r}, not {expected!r}"]


def fits(expected: object, seen: object) -> bool:
    return not differences(expected, seen)
