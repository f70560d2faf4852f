"""Finding a device: one that is commanded to blink shows where it is, and goes on with its work.

There is no answer: a device without a lamp ignores it, and a person sees whether it blinks.

    >>> from protocols.firmware.companion import Blink, encode
    >>> encode(Blink(seconds=30)).hex(" ")
    '0e 00 1e'
"""

from __future__ import annotations

from construct import Check, Int16ub

from protocols.values import Value

MAX_SECONDS = 600


class Blink(Value, kw_only=True):
    """Controller: blink for this number of seconds from now; 0 ends it."""

    seconds: int


LAYOUTS: dict[int, tuple[type[Blink], list[object]]] = {
    0x0E: (
        Blink,
        [
            "seconds" / Int16ub,
            f"a device blinks for at most {MAX_SECONDS} s" / Check(lambda this: this.seconds <= MAX_SECONDS),
        ],
    )
}
