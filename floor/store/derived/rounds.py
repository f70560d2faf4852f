"""Rounds and their wagers. A round gets its rows when it is over; a correction makes them again."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.contract import events as ev
from floor.store.bulk import Row
from floor.store.derived.about import About
from floor.store.derived.context import Context, CurrentRound
from floor.store.derived.page import Page
from floor.store.schema import ROUNDS, WAGERS


def started(context: Context, about: About, event: ev.RoundStarted) -> None:
    context.dealer = event.dealer or context.dealer
    context.ruleset = event.ruleset
    before = context.round
    context.round = CurrentRound(
        number=about.round,
        started_at=about.at,
        ruleset=event.ruleset,
        digest=event.digest,
        dealer=event.dealer,
        player_dealer=None if event.player_dealer is None else str(event.player_dealer),
        banker=event.banker,
        firm=event.firm,
        test=about.test,
        bank_hand=event.bank_hand,
        ended_before=None if before is None or before.seq is None else before.at,
    )


def wagered(context: Context, event: ev.WagerSet) -> None:
    if context.round is not None:
        context.round.wagers.setdefault(str(event.place), {})[event.wager] = event.cents


def card_dealt(context: Context, body: bytes) -> None:
    """A card that a reader has read; one that is face down has no name in its event. Almost half of all events are
    these: they are not decoded."""
    if context.round is not None and b'"card":"' in body:
        context.round.cards += 1


def betting_closed(context: Context, about: About) -> None:
    if context.round is not None:
        context.round.closed_at = about.at


def settled(context: Context, about: About, event: ev.RoundSettled, page: Page) -> None:
    current = context.round
    if current is None:
        return
    again = current.seq is not None
    current.result = msgspec.to_builtins(event, str_keys=True)
    current.void = False
    _end(current, about)
    _write(current, about, page, again=again)


def voided(context: Context, about: About, event: ev.RoundVoided, page: Page) -> None:
    current = context.round
    if current is None:
        return
    again = current.seq is not None
    current.void, current.void_reason = True, event.reason or event.ruling
    current.result = msgspec.to_builtins(event, str_keys=True)
    _end(current, about)
    _write(current, about, page, again=again)


def corrected(context: Context, about: About, event: ev.Corrected, page: Page) -> None:
    """The result field by field, as [before, after]."""
    current = context.round
    if current is None or current.number != event.round:
        return
    current.corrections += 1
    current.corrected_by, current.corrected_reason = event.by, event.reason
    if current.seq is None:
        return
    for name, change in event.changes.items():
        if isinstance(change, list) and len(change) == 2:
            current.result[name] = change[1]
    is_void = current.result.get("void")
    current.void = bool(is_void)
    if not is_void:
        current.void_reason = ""
    _write(current, about, page, again=True)


def _end(current: CurrentRound, about: About) -> None:
    current.seq, current.at, current.day = about.seq, about.at, about.day


def _write(current: CurrentRound, about: About, page: Page, *, again: bool) -> None:
    key = about.journal, current.number
    wagers = _wagers(current, about)
    page.put(ROUNDS, key, [_round(current, about, wagers)], again=again)
    page.put(WAGERS, key, wagers, again=again)


def _round(current: CurrentRound, about: About, wagers: list[Row]) -> Row:
    outcome = current.result.get("outcome")
    bank_net = current.result.get("bank_net")
    return (
        about.journal,
        current.number,
        about.site,
        about.table,
        current.seq,
        current.day,
        current.started_at,
        current.closed_at,
        current.at,
        current.test,
        current.void,
        current.ruleset,
        current.digest,
        current.dealer,
        current.player_dealer,
        current.banker,
        current.firm,
        "" if outcome is None else outcome if isinstance(outcome, str) else _json(outcome),
        sum(1 for row in wagers if row[7]),
        sum(row[7] for row in wagers),
        bank_net if isinstance(bank_net, int) and not current.void else 0,
        current.void_reason,
        current.corrections,
        current.corrected_by,
        current.corrected_reason,
        _json(current.result),
        current.bank_hand,
        current.cards,
        None if current.closed_at is None else current.closed_at - current.started_at,
        current.at - (current.started_at if current.closed_at is None else current.closed_at),
        None if current.ended_before is None else current.started_at - current.ended_before,
    )


def _wagers(current: CurrentRound, about: About) -> list[Row]:
    """Each wager that was placed, and each that was settled or paid out of a pot."""
    found: dict[tuple[str, str], list[Any]] = {
        (place, wager): [cents, None, 0]
        for place, by_wager in current.wagers.items()
        for wager, cents in by_wager.items()
        if cents
    }
    lines = current.result.get("lines")
    if not current.void and isinstance(lines, list | tuple):
        for line in lines:
            cell = found.setdefault((str(line.get("place")), str(line.get("wager"))), [0, None, 0])
            cell[1] = (cell[1] or 0) + int(line.get("net", 0))
            cell[2] += int(line.get("uncovered", 0))
    pots = current.result.get("pots")
    if not current.void and isinstance(pots, list | tuple):
        for number, pot in enumerate(pots, 1):
            for seat, cents in pot.get("to", {}).items():
                found[str(seat), f"pot {number}"] = [0, int(cents), 0]
    return [
        (
            about.journal,
            current.number,
            place,
            wager,
            about.site,
            about.table,
            current.day,
            cents,
            net,
            uncovered,
            current.void,
            current.test,
        )
        for (place, wager), (cents, net, uncovered) in found.items()
    ]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
