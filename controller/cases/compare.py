"""A case's `expect` against the result document: only what the case names is compared.

Each mismatch is (field, expected, got). Numbers and strings that read the same are the same; a seat may be written 3 or
"3"; a list of one may stand for its element; what a result leaves out did not happen: no cents, no cards, false.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Mismatch = tuple[str, Any, Any]
IN_NO_ORDER = {
    "foul_seats",
    "fouled",
    "dead",
    "dead_hands",
    "dealt_in",
    "envy_buttons",
    "free_collection",
    "high_winners",
    "legal",
    "low_winners",
    "reshuffled_into_stub",
}
"""Results that say which seats, cards or choices, not which first."""
FIFTH_ACE = ["four_of_a_kind", "A", "A"]
FLOOR_VOIDS = "floor_void"
NO_RULING = "none"


def differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """One line per mismatch. A value that cannot even be compared is one; so is a refusal that nobody expects."""
    lines = []
    for field, want in expected.items():
        try:
            lines += [f"{at}: expected {one}, got {other}" for at, one, other in mismatches({field: want}, got)]
        except (TypeError, AttributeError, ValueError, LookupError):
            lines.append(f"{field}: expected {want!r}, which is not of the form of {got.get(field)!r}")
    if "refused" not in expected and got.get("refused"):
        lines.append(f"refused: expected none, got {got['refused']}")
    return lines


def mismatches(expected: dict[str, Any], got: dict[str, Any]) -> Iterator[Mismatch]:
    for field, want in expected.items():
        have = got.get(field)
        match field:
            case "fees":
                yield from _money(field, _without_nothing(want), _without_nothing(_fees_by_seat(want, have or {})))
            case "returned":
                yield from _money(field, want, _by_seat(want, have or {}))
            case "net" | "uncovered":
                yield from _money(field, want, have or {})
            case "pots" if isinstance(want, list):
                yield from _same(field, _with_money(want), _with_money(have or []))
            case "hands":
                yield from _hands(want, have or {})
            case "ranks" if isinstance(want, dict):
                yield from _same(field, want, _ranks(want, have or {}))
            case "more":
                yield from _more(want, have or {})
            case "order":
                yield from _order(want, _without_unpaid_envy(want, have or [], got.get("net") or {}))
            case "ruling":
                if not _rules_alike(want, have or []):
                    yield field, want, have
            case _:
                yield from _same(field, want, have)


def _more(want: dict[str, Any], have: dict[str, Any]) -> Iterator[Mismatch]:
    if "front" in want:
        # Two cards in front lie side by side: their order means nothing.
        yield from _hands(_as_parts(want["front"]), _as_parts(have.get("front") or {}), "more.front")
    if "offered" in want:
        yield from _offered(want["offered"], have.get("offered") or [])
    if "acting_order" in want:
        have = {**have, "acting_order": _acting_order(want["acting_order"], have)}
    if isinstance(want.get("raises_in_round"), dict):
        # A number is the most of any round; by the name of a round, what was raised in that one.
        have = {**have, "raises_in_round": have.get("raises_by_round")}
    if isinstance(want.get("forced_bet"), dict):
        have = _with_forced_bet(want["forced_bet"], have)
    if want.get("all_in_for_ante") is True and have.get("all_in_for_ante"):
        have = {**have, "all_in_for_ante": True}  # that it is so, where the result says whose hand
    yield from _same("more", {key: value for key, value in want.items() if key not in ("front", "offered")}, have)


def _ranks(want: dict[Any, Any], have: dict[str, list[str]]) -> dict[str, list[str]]:
    """The hands' ranks. Four aces and a joker that is an ace but makes no five of a kind leave no card for a kicker: a
    case may name none, or what it takes the joker for."""
    found = dict(have)
    for owner, named in want.items():
        if found.get(str(owner)) == FIFTH_ACE and isinstance(named, list) and named[:2] == FIFTH_ACE[:2]:
            found[str(owner)] = named
    return found


def _rules_alike(want: Any, have: list[str]) -> bool:
    """A list is all rulings of the round, one that hits several seats once or for each. One code is the last
    ruling: a first exposed tile is accepted, the second one ends the deal; `none`: nothing was ruled. That the
    floor then voids the round is its act, which a case need not repeat. Some sheets write a code in capitals."""
    want = [str(code).lower() for code in want] if isinstance(want, list) else want and str(want).lower()
    have = [code.lower() for code in have]
    if FLOOR_VOIDS not in (want if isinstance(want, list) else [want]):
        have = [code for code in have if code != FLOOR_VOIDS]
    if isinstance(want, list):
        return list(dict.fromkeys(want)) == list(dict.fromkeys(have))
    return have[-1:] == [want] or (want in (None, NO_RULING) and not have)


def _with_forced_bet(want: dict[Any, Any], more: dict[str, Any]) -> dict[str, Any]:
    """A forced bet that a case gives with its seat: {seat, cents}, or cents by seat."""
    seat, cents = more.get("forced_bet_by"), more.get("forced_bet")
    bet = {"seat": seat, "cents": cents} if "cents" in want else {seat: cents}
    return {**more, "forced_bet": bet}


def _fees_by_seat(want: Any, have: dict[str, Any]) -> dict[str, Any]:
    paid, named = (part.get("players") if isinstance(part, dict) else None for part in (have, want))
    return {**have, "players": _by_seat(named, paid)} if isinstance(paid, dict) else have


def _without_nothing(fees: Any) -> Any:
    """A row of no cents takes nothing out of the pot: with or without it is the same."""
    if not isinstance(fees, dict) or not isinstance(fees.get("pot"), list):
        return fees
    return {**fees, "pot": [taken for taken in fees["pot"] if taken.get("cents") != 0]}


def _with_money(pots: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of the only bet went back: the pot is there and empty, or there is none."""
    return [pot for pot in pots if pot.get("cents") != 0]


def _by_seat(want: Any, have: dict[Any, int]) -> dict[Any, int]:
    """Money of a seat's further spots, added to the seat where the case names seats alone."""
    if not isinstance(want, dict):
        return have
    asked = {str(key) for key in want}
    seats: dict[Any, int] = {}
    for place, cents in have.items():
        key = str(place) if str(place) in asked else str(place).partition(".")[0]
        seats[key] = seats.get(key, 0) + cents
    return seats


def _same(path: str, want: Any, have: Any) -> Iterator[Mismatch]:
    if have is None and _is_nothing(want):
        return
    if isinstance(want, dict):
        if isinstance(have, list | tuple):
            have = dict(enumerate(have))  # rulings by index
        if isinstance(have, int) and len(want) == 1:
            # What one seat did, by its seat.
            yield from _same(path, next(iter(want.values())), have)
            return
        if not isinstance(have, dict):
            yield path, want, have
            return
        by_name = {str(key): value for key, value in have.items()}
        for key, value in want.items():
            yield from _same(f"{path}.{key}", value, by_name.get(str(key)))
    elif isinstance(want, list):
        listed = have if isinstance(have, list | tuple) else [have]
        if path.startswith("pots[") and path.endswith(".seats"):
            want, listed = sorted(want), sorted(listed)  # who competes for a pot has no order
        if path.startswith("more.winners."):
            want, listed = sorted(want, key=str), sorted(listed, key=str)  # nor who shares a half of it
        if path.rpartition(".")[2] in IN_NO_ORDER:
            want, listed = sorted(want, key=str), sorted(listed, key=str)
        if path == "more.refused_bounds":
            named = [bound["act"] for bound in want]
            listed = [bound for bound in listed if bound is not None and bound["act"] in named]
        if path == "more.legal_after_refusal":
            # What a seat may do has no order.
            want, listed = sorted(want), sorted(listed)
        if len(want) != len(listed):
            yield path, want, have
            return
        for index, (one, other) in enumerate(zip(want, listed, strict=True)):
            yield from _same(f"{path}[{index}]", one, other)
    elif path.endswith(".percent") and isinstance(want, int | float) and isinstance(have, int | float):
        # A board shows one decimal; a case may write more of them, or none.
        if have not in (want, round(want, 1)) and round(have) != want:
            yield path, want, have
    elif path == "more.game_now" and isinstance(want, str) and isinstance(have, str):
        # The sheet names no spelling: "lowball" is the game, and so is "ace_to_five_lowball".
        if not _words(want) <= _words(have):
            yield path, want, have
    elif not _equal(want, have):
        yield path, want, have


def _words(name: str) -> set[str]:
    return set(name.replace("-", "_").split("_"))


def _is_nothing(want: Any) -> bool:
    """No cards, no seats, no cents, not so: what a result leaves out did not happen, to no seat either."""
    if isinstance(want, dict):
        return all(part is None or _is_nothing(part) for part in want.values())
    return want in ([], 0)


def _equal(want: Any, have: Any) -> bool:
    if isinstance(have, list | tuple) and len(have) == 1:
        have = have[0]
    if isinstance(want, bool) or isinstance(have, bool) or want is None or have is None:
        return want is have
    return bool(want == have) or str(want) == str(have)


def _money(path: str, want: Any, have: Any) -> Iterator[Mismatch]:
    """Amounts by name: what is absent is zero, and nothing may have moved that the case does not name."""
    if not isinstance(want, dict):
        if not _equal(want, have or 0):
            yield path, want, have
        return
    if not isinstance(have, dict):
        yield path, want, have
        return
    by_name = {str(key): value for key, value in have.items()}
    for key in {str(key): None for key in want} | dict.fromkeys(by_name):
        wanted = next((value for name, value in want.items() if str(name) == key), None)
        if wanted is None:
            if _moved(by_name[key]) and key != "boxes":
                yield f"{path}.{key}", 0, by_name[key]
        elif isinstance(wanted, list):
            yield from _same(f"{path}.{key}", wanted, by_name.get(key))
        elif isinstance(wanted, dict) and "total" in wanted and isinstance(by_name.get(key), dict):
            parts = by_name[key]
            yield from _money(f"{path}.{key}", wanted, {**parts, "total": sum(parts.values())})
        else:
            yield from _money(f"{path}.{key}", wanted, by_name.get(key, {} if isinstance(wanted, dict) else 0))


def _moved(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_moved(part) for part in value.values())
    return bool(value)


def _hands(want: dict[Any, Any], have: dict[Any, Any], path: str = "hands") -> Iterator[Mismatch]:
    """A flat hand in its order; the parts of a set or split hand as sets."""
    by_name = {str(key): value for key, value in have.items()}
    for owner, cards in want.items():
        got = by_name.get(str(owner))
        nested = bool(cards) and isinstance(cards[0], list)
        if nested and got is not None and not (got and isinstance(got[0], list)):
            got = [got]
        if nested and got is not None:
            same = [sorted(map(str, part)) for part in cards] == [sorted(map(str, part)) for part in got]
        else:
            same = got is not None and list(map(str, cards)) == list(map(str, got))
        if not same:
            yield f"{path}.{owner}", cards, got


def _as_parts(fronts: dict[Any, Any]) -> dict[Any, Any]:
    return {name: [cards] for name, cards in fronts.items()}


def _offered(want: list[Any], have: list[Any]) -> Iterator[Mismatch]:
    """`can`: open choices, with their amounts where the case names them; `can_not`: closed ones."""
    by_act = {offer["act"]: offer for offer in have}
    for offer in want:
        path, got = f"more.offered[act {offer['act']}]", by_act.get(offer["act"])
        if got is None or not _equal(offer["seat"], got["seat"]):
            yield path, offer, got
            continue
        for do, amounts in offer.get("can", {}).items():
            if do not in got["can"]:
                yield f"{path}.can", do, sorted(got["can"])
            elif amounts is not None:
                yield from _same(f"{path}.can.{do}", amounts, got["can"][do])
        for do in offer.get("can_not", ()):
            if do in got["can"]:
                yield f"{path}.can_not", do, sorted(got["can"])


def _acting_order(want: Any, have: dict[str, Any]) -> dict[Any, Any]:
    """By street who may act in turn, or who was asked where the case has that: a seat behind which the betting ends
    has its place in the order and no act."""
    order, asked = have.get("acting_order") or {}, have.get("asked_in_order") or {}
    wanted = want if isinstance(want, dict) else {}
    return {**order, **{street: seats for street, seats in asked.items() if wanted.get(street) == seats}}


def _without_unpaid_envy(want: list[Any], have: list[Any], net: dict[Any, Any]) -> list[Any]:
    """Envy has no stake that could go back: where it found no cover, a case may name it in its turn or leave it out."""
    named = set(map(str, want))
    paid = {f"{place}.envy" for place, wagers in net.items() if isinstance(wagers, dict) and wagers.get("envy")}
    return [item for item in have if not str(item).endswith(".envy") or str(item) in named | paid]


def _order(want: list[Any], have: list[Any]) -> Iterator[Mismatch]:
    """Seats alone compare as the order in which seats come first, spots (4, "4.2") likewise; seat.wager as the whole
    walk. Insurance that is settled at the check of the down card says nothing of the order of seats."""
    got = [str(item) for item in have]
    wanted = [str(item) for item in want]
    if all(item.replace(".", "", 1).isdigit() for item in wanted):
        got = [item for item in got if not item.endswith(".insurance")]
    if all(isinstance(item, int) for item in want):
        got = list(dict.fromkeys(item.partition(".")[0] for item in got))
    elif all(item.replace(".", "", 1).isdigit() for item in wanted):
        got = [item if item.rpartition(".")[2].isdigit() else item.rpartition(".")[0] for item in got]
        got = list(dict.fromkeys(got))
    if wanted != got:
        yield "order", wanted, got
