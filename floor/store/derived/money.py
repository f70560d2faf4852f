"""What the boxes are owed and what they hold: fee ledger, drops, boxes that were taken out, counts."""

from __future__ import annotations

from controller.contract import events as ev
from floor.store.derived.about import About
from floor.store.derived.context import MOST_BOXES, Context
from floor.store.derived.page import Page
from floor.store.schema import BOXES, COUNTS, DROPS, FEE_LEDGER, PIECES


def fee_changed(context: Context, about: About, event: ev.FeeChanged, page: Page) -> None:
    page.add(
        FEE_LEDGER,
        (
            *about.of_event,
            about.round if event.round is None else event.round,
            about.test,
            event.box,
            context.dealer,
            event.cents,
            event.before,
            event.after,
            event.cause,
            event.payer,
            None if event.place is None else str(event.place),
            event.fee,
            event.row,
            event.moment,
            event.name,
            event.moment.endswith("_minutes"),
            context.ruleset,
        ),
    )


def drop_matched(context: Context, about: About, event: ev.DropMatched, page: Page) -> None:
    kind = "matched_late" if event.late else "matched"
    _drop(context, about, page, kind, event, round_=event.round, proof=event.proof)


def drop_differs(context: Context, about: About, event: ev.DropDiffers, page: Page) -> None:
    _drop(context, about, page, event.what, event, round_=event.round, text=event.text)


def _drop(
    context: Context,
    about: About,
    page: Page,
    kind: str,
    event: ev.DropMatched | ev.DropDiffers,
    *,
    round_: int | None,
    proof: str = "",
    text: str = "",
) -> None:
    page.add(
        DROPS,
        (
            *about.of_event,
            round_,
            about.test,
            kind,
            event.box,
            event.box_id,
            event.dealer,
            event.due,
            event.pieces,
            event.low,
            event.high,
            proof,
            text,
            "",
            event.by_the_clock,
            context.ruleset,
        ),
    )


def drop_explained(context: Context, about: About, event: ev.DropSettled, page: Page) -> None:
    page.add(
        DROPS,
        (
            *about.of_event,
            event.round,
            about.test,
            "explained",
            event.box,
            "",
            context.dealer,
            -event.let_off,
            0,
            0,
            None,
            "",
            event.reason,
            event.by,
            False,
            context.ruleset,
        ),
    )


def fell(context: Context, about: About, event: ev.BoxTold, page: Page) -> None:
    """Chips, seen by a sensor. What else it reports is no figure."""
    if event.what == "dropped" and event.count:
        page.add(
            PIECES,
            (
                *about.of_event,
                about.round,
                about.test,
                event.box,
                context.dealer,
                context.ruleset,
                event.count,
                event.low or 0,
                event.high,
            ),
        )


def box_taken(context: Context, about: About, event: ev.BoxReckoned, page: Page) -> None:
    context.boxes.pop(event.box_id, None)
    context.boxes[event.box_id] = about.seq
    while len(context.boxes) > MOST_BOXES:
        del context.boxes[next(iter(context.boxes))]
    page.add(
        BOXES,
        (
            *about.of_event,
            about.test,
            event.box,
            event.box_id,
            event.seal,
            event.since or None,
            event.due,
            event.running,
            event.pieces,
            event.low,
            event.high,
            event.short,
            event.astray,
            "; ".join(event.doubts),
        ),
    )


def box_counted(context: Context, about: About, event: ev.BoxCounted, page: Page) -> None:
    page.add(
        COUNTS,
        (
            *about.of_event,
            about.test,
            event.box,
            event.box_id,
            context.boxes.get(event.box_id),
            event.seal,
            event.cents,
            event.due,
            event.difference,
            event.what,
            event.by,
        ),
    )
