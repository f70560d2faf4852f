"""Rooms full of tables for the floor page: states as tables publish them, of every kind that a tile can show."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from controller.contract.messages import (
    BoxDocument,
    DeviceState,
    HeldFor,
    Limits,
    OpenAlarm,
    PostedSchedule,
    SignedOnDealer,
    StateDocument,
)
from controller.contract.topics import Topics
from tests.support.journals import a_state
from tests.support.recorded_days import Published

GAMES = (
    ("bankers-ez-baccarat-panda-8", "EZ Baccarat Panda 8", 2500, 1_000_000),
    ("bankers-ultimate-texas-holdem", "Ultimate Texas Hold'em", 1000, 50_000),
    ("bankers-three-card-poker", "Three Card Poker", 500, 30_000),
    ("bankers-texas-holdem", "Texas Hold'em", 200, None),
    ("calgrand-pai-gow-poker", "Pai Gow Poker", 1000, 300_000),
    ("turlock-pure-21-5-blackjack", "Pure 21.5 Blackjack", 1500, 40_000),
)
DEALERS = ("sam", "lena", "joe", "mei", "raul", "kim", "pat", "noor")

_decode = msgspec.json.Decoder(StateDocument).decode


def journal_of(table: str) -> str:
    return table.encode().hex().zfill(32)[-32:]


def a_table(table: str, site: str, number: int, now: int, *, seq: int = 100) -> StateDocument:
    """A table that plays; `number` chooses its game, its dealer and how long it has done what it does."""
    ruleset, title, least, most = GAMES[number % len(GAMES)]
    state: StateDocument = _decode(a_state("Card 1 to Player", seq=seq, journal=journal_of(table), table=table))
    box = BoxDocument(
        "collection", True, f"BOX-{number}", "", now - 7_200_000, 24_000, 240, 24_000, 24_000, 0, None, "", (), None
    )
    return replace(
        state,
        site=site,
        at=now - 1000 * (number % 20),
        ruleset=ruleset,
        title=title,
        digest=f"{number % 6:02x}" * 16,
        schedule=PostedSchedule("a", f"option {number % 3}", "page 2"),
        limits=Limits(least, most),
        dealer=SignedOnDealer(DEALERS[number % len(DEALERS)], now - 60_000 * (number % 50)),
        seats=tuple(range(1, 2 + number % 7)),
        player_dealer=1 + number % 7,
        phase=("betting", "dealing", "settled")[number % 3],
        phase_since=now - 2000 * (number % 9),
        waits_since=now - 1000 * (number % 9),
        boxes=(box,),
        devices={"shoe": DeviceState("online", {}), "boxes": DeviceState("online", {})},
        clock="synced",
    )


def troubled(state: StateDocument, kind: int, now: int) -> StateDocument:
    """The same table in one of nine situations."""
    match kind:
        case 0:
            text = "a card could not be read"
            return replace(state, phase="held", held=HeldFor("card_unread", text), phase_since=now - 95_000)
        case 1:
            return _alarmed(state, "journal", "The journal cannot be written", "stop", now - 40_000)
        case 2:
            return _alarmed(state, "short:collection", "The collection box is $5 short", "urgent", now - 300_000)
        case 3:
            return replace(state, boxes=(replace(state.boxes[0], low=23_500, high=23_500, short=500),))
        case 4:
            return replace(state, phase="dealing", prompt="Seat 3: hit or stand", waits_since=now - 400_000)
        case 5:
            return _alarmed(state, "device_away:shoe", "shoe is offline", "warning", now - 20_000)
        case 6:
            return replace(state, devices={**state.devices, "shoe": DeviceState("offline", {})})
        case 7:
            return replace(state, dealer=SignedOnDealer("sam", now - 95 * 60_000))
        case _:
            closed = replace(state, open=False, phase="closed", prompt="The table is closed", seats=())
            return replace(closed, dealer=None, player_dealer=None, waits_since=None)


def _alarmed(state: StateDocument, name: str, text: str, severity: str, since: int) -> StateDocument:
    alarm = msgspec.convert(
        {"text": text, "severity": severity, "since": since, "device": None, "box": None}
        | {"acknowledged_by": None, "acknowledged_at": None},
        OpenAlarm,
    )
    return replace(state, alarms={**state.alarms, name: alarm})


def a_room(site: str, count: int, now: int) -> Iterator[StateDocument]:
    """Most play; of every fourteen one is in trouble, and one in eleven is closed."""
    for number in range(1, count + 1):
        state = a_table(f"table-{number}", site, number, now)
        if number % 14 == 0:
            state = troubled(state, (number // 14) % 8, now)
        elif number % 11 == 0:
            state = troubled(state, 8, now)
        yield state


def as_published(state: StateDocument) -> Published:
    return Published(Topics(state.site, state.table).state, msgspec.json.encode(state), True)


def online(state: StateDocument, *, is_online: bool = True) -> Published:
    body = {"document": "online", "online": is_online, "session": "s", "journal": state.journal, "since": 1}
    return Published(Topics(state.site, state.table).online, msgspec.json.encode(body), True)
