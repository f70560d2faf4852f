"""The fee ledger: every change of what a box is owed is one line, and the lines add up.

A line is a `FeeChanged`. Rounds, the fee clock, corrections and the floor make the lines; `entered` writes into each
what the box was owed before and after it, from the total after all of them. So `after` of the last line is the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.events.fees import FeeCause
from controller.engine.fees.banked import Charge
from controller.engine.fees.schedule import Schedule

_LINE: Final = ev.FeeChanged


def line(schedule: Schedule | None, charge: Charge, cents: int, cause: FeeCause) -> ev.FeeChanged:
    """This charge, or a part of it, is owed from now on; `cents` negative: no longer."""
    return ev.FeeChanged(
        charge.box,
        cents,
        cause,
        payer=charge.payer,
        place=charge.place,
        fee="" if schedule is None else schedule.id,
        row=charge.row,
        moment=charge.moment,
        name="" if schedule is None else schedule.fee[charge.row].kind,
    )


def corrected(schedule: Schedule | None, before: Sequence[Charge], after: Sequence[Charge]) -> list[ev.FeeChanged]:
    """The lines by which a correction changes what each payer owes for a round."""
    changes: dict[tuple[object, ...], tuple[Charge, int]] = {}
    for sign, charges in ((-1, before), (1, after)):
        for charge in charges:
            key = (charge.box, charge.payer, charge.place, charge.row)
            known = changes.get(key)
            changes[key] = (charge, sign * charge.cents + (0 if known is None else known[1]))
    return [line(schedule, charge, cents, "corrected") for charge, cents in changes.values() if cents]


def has_line(events: list[ev.Event]) -> bool:
    return any(type(event) is _LINE for event in events)


def entered(events: list[ev.Event], total: Mapping[str, int]) -> list[ev.Event]:
    """The same events, each line with what its box was owed before and after it. `total`: what each box is owed after
    all of them."""
    at = [index for index, event in enumerate(events) if type(event) is _LINE]
    after, found = dict(total), list(events)
    for index in reversed(at):
        changed = found[index]
        assert type(changed) is _LINE
        cents = after.get(changed.box, 0)
        after[changed.box] = cents - changed.cents
        found[index] = replace(changed, before=cents - changed.cents, after=cents)
    return found


def added(boxes: Mapping[str, int], charges: Iterable[Charge]) -> dict[str, int]:
    """Cents by box, with these charges."""
    total = dict(boxes)
    for charge in charges:
        total[charge.box] = total.get(charge.box, 0) + charge.cents
    return total
