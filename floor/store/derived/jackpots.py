"""What changes a jackpot's meter, or is to be decided about it."""

from __future__ import annotations

from controller.contract import events as ev
from floor.store.bulk import Row
from floor.store.derived.about import About
from floor.store.derived.page import Page
from floor.store.schema import JACKPOTS

AnyJackpotEvent = (
    ev.JackpotOpened
    | ev.JackpotContributed
    | ev.JackpotFeeAside
    | ev.JackpotFeeDecided
    | ev.JackpotPaid
    | ev.JackpotReseeded
    | ev.JackpotAdjusted
)


def changed(about: About, event: AnyJackpotEvent, page: Page) -> None:
    match event:
        case ev.JackpotOpened():
            row = _row(about, event.jackpot, "opened", event.seed, before=0, after=event.seed, reason=event.source)
        case ev.JackpotContributed():
            row = _row(
                about, event.jackpot, event.why, event.cents, before=event.before, after=event.after, round_=event.round
            )
        case ev.JackpotFeeAside():
            row = _row(about, "", "fee_aside", event.cents, round_=event.round)
        case ev.JackpotFeeDecided():
            kind = "fee_kept" if event.kept else "fee_returned"
            row = _row(about, "", kind, event.cents, round_=event.round, reason=event.reason, by=event.by)
        case ev.JackpotPaid():
            row = _row(
                about,
                event.jackpot,
                "paid",
                -event.cents,
                before=event.before,
                after=event.after,
                round_=event.round,
                reason=event.prize,
            )
        case ev.JackpotReseeded():
            cents = event.after - event.before
            row = _row(about, event.jackpot, "reseeded", cents, before=event.before, after=event.after)
        case ev.JackpotAdjusted():
            row = _row(
                about,
                event.jackpot,
                f"adjusted_{event.pool}",
                event.cents,
                before=event.before,
                after=event.after,
                reason=event.reason,
                by=event.by,
            )
    page.add(JACKPOTS, row)


def _row(
    about: About,
    jackpot: str,
    kind: str,
    cents: int,
    *,
    before: int | None = None,
    after: int | None = None,
    round_: int | None = None,
    reason: str = "",
    by: str = "",
) -> Row:
    return (
        *about.of_event,
        round_,
        about.test,
        jackpot,
        kind,
        cents,
        before,
        after,
        reason,
        by,
    )
