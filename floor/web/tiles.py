"""A table as its tile shows it."""

from __future__ import annotations

from msgspec import Struct

from floor.live.documents import LiveState
from floor.live.live_tables import LiveTable
from floor.queries.pace import Pace
from floor.web.attention import AlarmSeen, Attention, Facts, Patience, attention

_WELL = "online"
"""The state of a device that works."""
_IN_ROUND = ("betting", "dealing", "settled")


class Tile(Struct, frozen=True, omit_defaults=True):
    """What is shown. Times are milliseconds since 1970, money is cents. Left out: no, none, nothing."""

    table: str
    seq: int
    attention: Attention
    title: str
    ruleset: str
    min_cents: int
    max_cents: int | None
    phase: str
    last_at: int
    section: str = ""
    open: bool = False
    online: bool = False
    silent: bool = False
    test: bool = False
    prompt: str = ""
    held: str = ""
    phase_since: int | None = None
    waits_since: int | None = None
    dealer: str = ""
    dealer_since: int | None = None
    bank: str = ""
    """The player-dealer: his name, or his seat."""
    bank_hand: int = 0
    seats: int = 0
    round: int = 0
    rounds_hour: int | None = None
    """Rounds that ended in the last hour; none: the store is away."""
    due: int = 0
    pieces: int = 0
    """That fell into the boxes that are in."""
    low: int = 0
    """The least that fell into the boxes that are in, and the most; none: not known."""
    high: int | None = None
    short: int = 0
    stop: int = 0
    urgent: int = 0
    warning: int = 0
    unseen: int = 0
    """Alarms that nobody has acknowledged."""
    alarms: tuple[AlarmSeen, ...] = ()
    devices: int = 0
    away: tuple[str, ...] = ()
    """Devices that do not work."""
    clock: str = ""
    """Where the times are not to be trusted: free, stepped."""
    journal: str = ""
    """Where what the store has is not whole."""
    schedule: str = ""
    schedule_source: str = ""
    readings: str = ""
    """How many readings of the rules are confirmed, and which are not."""
    digest: str = ""


def tile_of(table: LiveTable, section: str, pace: Pace | None, patience: Patience, now: int) -> Tile:
    """The tile of a table that has published a state."""
    state = table.state
    assert state is not None
    alarms = tuple(
        AlarmSeen(name, each.text, each.severity, each.since, each.acknowledged_by is not None)
        for name, each in sorted(state.alarms.items())
    )
    away = tuple(name for name, device in sorted(state.devices.items()) if device.state != _WELL)
    is_silent = pace is not None and pace.silent_since is not None and table.is_online
    facts = _facts(table, state, alarms, away, pace, is_silent=is_silent)
    found = attention(facts, patience, now)
    boxes = [box for box in state.boxes if box.is_in]
    highs = [box.high for box in boxes]
    journal = "" if pace is None else pace.journal
    return Tile(
        table=table.name,
        seq=state.seq,
        attention=found,
        title=state.title,
        ruleset=state.ruleset,
        min_cents=state.limits.min_cents,
        max_cents=state.limits.max_cents,
        phase=state.phase,
        last_at=table.last_at,
        section=section,
        open=state.open,
        online=table.is_online,
        silent=is_silent,
        test=state.test,
        prompt=state.prompt,
        held="" if state.held is None else state.held.text,
        phase_since=state.phase_since,
        waits_since=state.waits_since,
        dealer="" if state.dealer is None else state.dealer.name,
        dealer_since=None if state.dealer is None else state.dealer.since,
        bank=_bank(state),
        bank_hand=0 if state.banker is None else state.banker.hand,
        seats=len(state.seats),
        round=state.round,
        rounds_hour=None if pace is None else pace.rounds,
        due=sum(box.due for box in boxes),
        pieces=sum(box.pieces for box in boxes),
        low=sum(box.low for box in boxes),
        high=None if None in highs else sum(high for high in highs if high is not None),
        short=facts.short_cents,
        stop=sum(each.severity == "stop" for each in alarms),
        urgent=sum(each.severity == "urgent" for each in alarms),
        warning=sum(each.severity == "warning" for each in alarms),
        unseen=sum(not each.acknowledged for each in alarms),
        alarms=alarms,
        devices=len(state.devices),
        away=away,
        clock="" if state.clock == "synced" else state.clock,
        journal="" if journal == "whole" else journal,
        schedule="" if state.schedule is None else state.schedule.option,
        schedule_source="" if state.schedule is None else state.schedule.source,
        readings=_readings(state),
        digest=state.digest[:12],
    )


def _readings(state: LiveState) -> str:
    found = state.readings
    if found is None:
        return "test mode: none asked for"
    if not found.not_confirmed:
        return f"all {found.total} confirmed"
    return f"{len(found.not_confirmed)} of {found.total} not confirmed: {', '.join(found.not_confirmed)}"


def _facts(
    table: LiveTable,
    state: LiveState,
    alarms: tuple[AlarmSeen, ...],
    away: tuple[str, ...],
    pace: Pace | None,
    *,
    is_silent: bool,
) -> Facts:
    return Facts(
        is_open=state.open,
        is_online=table.is_online,
        is_silent=is_silent,
        is_in_round=state.phase in _IN_ROUND,
        phase=state.phase,
        held="" if state.held is None else state.held.text,
        phase_since=state.phase_since or 0,
        waits_since=state.waits_since or 0,
        prompt=state.prompt,
        last_at=table.last_at,
        alarms=alarms,
        short_cents=sum(box.short for box in state.boxes),
        dealer_since=None if state.dealer is None else state.dealer.since,
        needs_dealer=state.dealer is None and state.phase in _IN_ROUND,
        devices_away=away,
        journal="" if pace is None else pace.journal,
        seen_at=max((box.since for box in state.boxes if box.short), default=0),
    )


def _bank(state: LiveState) -> str:
    if state.banker is not None:
        return state.banker.name or str(state.banker.place)
    return "" if state.player_dealer is None else str(state.player_dealer)
