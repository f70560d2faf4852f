"""The retained state: what the cardroom's monitoring may know of the table now. Exposed cards only.

Made from the engine and the configuration after every input. docs/mqtt/README.md lists the questions that it answers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from controller import __version__
from controller.config import Config, WebConfig
from controller.config.page_address import host_for_others, is_for_others
from controller.contract import messages as out
from controller.engine.alarms import CLOCK, advice
from controller.engine.drop.books import Book, Reckoning
from controller.engine.drop.worth import DropTerms
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantFloor
from controller.engine.fees.posted import wager_limits
from controller.engine.inputs import place_of
from controller.engine.round.game import Game, HistoryEntry
from controller.engine.shoe.packs import Pack, Packs
from controller.engine.shoe.shoe import Shoe
from controller.engine.table.clock import began_at
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import printed_title


def state(engine: TableEngine[Any], config: Config, journal: str, seq: int) -> out.StateDocument:
    """The retained state; `journal` is the journal's id, `seq` the last event in it."""
    lasting, waits = engine.state, engine.waits.noted
    expectation, setup = engine.expectation, lasting.setup
    return out.StateDocument(
        journal=journal,
        site=config.site,
        table=config.table,
        at=engine.now,
        version=__version__,
        currency=out.CURRENCY,
        open=not lasting.closed,
        ruleset=engine.ruleset,
        title=printed_title(engine.ruleset, engine.game),
        digest=lasting.digest,
        schedule=_schedule(engine),
        readings=_readings(engine),
        options=lasting.options,
        limits=out.Limits(*limits_in_force(engine)),
        dealer=out.SignedOnDealer(drop.dealer, drop.dealer_since) if (drop := lasting.drop).dealer else None,
        seats=setup.seats,
        people=_people(lasting),
        away=tuple(
            out.AwayPlayer(int(seat), absence.since, absence.is_over) for seat, absence in lasting.conduct.away.items()
        ),
        player_dealer=setup.player_dealer if engine.game.has_player_dealer else None,
        banker=engine.bank.banker,
        test=lasting.test,
        seq=seq,
        round=lasting.rounds,
        round_id=f"{journal}-{lasting.rounds}",
        round_began=began_at(engine.played.inputs) if engine.is_dealing and engine.played.inputs else None,
        phase=engine.waits.phase,
        phase_since=None if waits is None else waits.phase_since,
        prompt=prompt(expectation),
        waits_since=None if waits is None else waits.since,
        wants=expectation.wants,
        at_any_time=expectation.at_any_time,
        held=next((out.HeldFor(want.code, want.text) for want in expectation.wants if type(want) is WantFloor), None),
        hands=_hands(engine),
        last=None if engine.last is None else _last_round(engine.last.public),
        shoe=_shoe(engine, lasting.shoe),
        previous_shoe=_shoe(engine, lasting.previous_shoe),
        packs=_packs(lasting.packs),
        boxes=_boxes(lasting.drop, setup.drop or DropTerms()),
        devices={name: out.DeviceState(device.state, device.facts) for name, device in lasting.devices.items()},
        alarms=_alarms(lasting),
        clock="stepped" if CLOCK.of() in lasting.alarms else lasting.clock,
        time_zone=config.report.timezone,
        shifts=dict(config.report.shifts),
        fees_due=engine.fees_owed,
        jackpots=engine.jackpots.published,
        jackpot_proposals=lasting.jackpots.proposals,
        jackpot_fees_aside=lasting.jackpots.fees_aside,
        stores=tuple(
            out.StoreState(name, stored.seq, stored.at, max(0, seq - stored.seq))
            for name, stored in lasting.stores.items()
        ),
        page=_page(config.web),
    )


def _page(web: WebConfig) -> out.PageAddress | None:
    host = host_for_others(web)
    return out.PageAddress(host, web.port, web.certificate is not None) if web.port and is_for_others(host) else None


_encoder = msgspec.json.Encoder()


def encode_state(document: out.StateDocument) -> bytes:
    return _encoder.encode(document)


def limits_in_force(engine: TableEngine[Any]) -> tuple[int, int | None]:
    """What the options post, else the schedule, else the table's own."""
    setup, options = engine.state.setup, engine.options
    least, most = wager_limits(engine.rules.schedule, setup.min_wager, setup.max_wager)
    own_least, own_most = getattr(options, "table_min", None), getattr(options, "table_max", None)
    least = own_least if isinstance(own_least, int) else least
    return least, own_most if isinstance(own_most, int) else most


def _schedule(engine: TableEngine[Any]) -> out.PostedSchedule | None:
    posted = engine.rules.schedule
    return None if posted is None else out.PostedSchedule(posted.id, posted.option, posted.source)


def _readings(engine: TableEngine[Any]) -> out.ReadingsInForce | None:
    confirmed, readings = engine.state.confirmed, engine.rules.readings
    if confirmed is None:
        return None
    return out.ReadingsInForce(len(readings), tuple(each.name for each in readings if each.digest not in confirmed))


def _people(lasting: TableState) -> tuple[out.SeatedPerson, ...]:
    return tuple(
        out.SeatedPerson(place_of(place), person.name, person.badge, person.firm)
        for place, person in sorted(lasting.people.at.items())
    )


def _hands(engine: TableEngine[Any]) -> dict[str, tuple[Any, ...]]:
    current = engine.round
    if current is None or not engine.is_dealing:
        return {}
    return {owner: tuple(slot.face_if_exposed for slot in hand) for owner, hand in current.table.hands.items()}


def _last_round(public: dict[str, Any]) -> out.LastRound:
    return out.LastRound(**{name: public[name] for name in out.LastRound.__struct_fields__ if name in public})


class _Boards:
    """What the reader board shows of a shoe, made once for each history: that grows with a hand, and is shown after
    every input."""

    def __init__(self) -> None:
        self._known: deque[tuple[Game[Any], Sequence[HistoryEntry], dict[str, Any]]] = deque(maxlen=4)

    def of(self, game: Game[Any], history: Sequence[HistoryEntry]) -> dict[str, Any]:
        for its_game, its_history, board in self._known:
            if its_history is history and its_game is game:
                return board
        board = game.board(history)
        self._known.append((game, history, board))
        return board


_boards = _Boards()


def _shoe(engine: TableEngine[Any], shoe: Shoe | None) -> out.ShoeDocument | None:
    if shoe is None:
        return None
    return out.ShoeDocument(
        shoe.number,
        shoe.decks,
        shoe.cards,
        shoe.cut_card,
        shoe.drawn,
        len(shoe.history),
        shoe.unfit,
        _boards.of(engine.game, shoe.history),
    )


def _packs(packs: Packs) -> out.PacksDocument:
    return out.PacksDocument(_pack(packs.ready), _pack(packs.in_play), packs.withdrawn)


def _pack(pack: Pack | None) -> out.PackDocument | None:
    return None if pack is None else out.PackDocument(pack.number, pack.back, pack.cards, pack.device)


def _boxes(drop: Reckoning, terms: DropTerms) -> tuple[out.BoxDocument, ...]:
    return tuple(_box(drop, terms, box, book) for box, book in sorted(drop.books.items()))


def _box(drop: Reckoning, terms: DropTerms, box: str, book: Book) -> out.BoxDocument:
    worth, count = book.holds(terms), drop.counted.get(box)
    return out.BoxDocument(
        box=box,
        is_in=not book.is_out,
        box_id=book.id,
        seal=book.seal,
        since=book.since,
        due=book.due,
        pieces=book.fallen.pieces,
        low=worth.low,
        high=worth.high,
        short=book.short,
        unexplained=book.unexplained,
        next_box_id=book.announced,
        to_be_counted=tuple(
            out.AwaitedCount(id_, gone.book.seal, gone.book.due, gone.at)
            for id_, gone in drop.gone.items()
            if gone.box == box
        ),
        last_count=None if count is None else out.CountedBox(count.box_id, count.cents, count.due, count.at),
    )


def _alarms(lasting: TableState) -> dict[str, out.OpenAlarm]:
    found: dict[str, out.OpenAlarm] = {}
    for name, text in lasting.alarms.items():
        life, about = lasting.alarm_lives[name], advice(name)
        found[name] = out.OpenAlarm(
            text,
            about.severity,
            life.raised_at,
            about.device,
            about.box,
            life.acknowledged_by or None,
            life.acknowledged_at or None,
        )
    return found
