"""Shorter ways for the inputs that come most often. Each does exactly what the longer way beside it does.

    fast path              takes                                          the longer way
    PlainInputs.apply      an input of the running round alone            TableEngine.apply: dispatch, clock, numbers
    _take_next_number      a device's number that follows its last        DeviceNumbers.keep
    counters.follows       a card whose number follows the last           counters.reconciled
    feed                   what the script surely waits for               Round.feed: judge, then resume the script
    take_plain_wager       a wager that only its amount can make illegal  judge, then Wagers.take resumes
    take_bank              the player-dealer's money, while betting       judge, then Wagers.take resumes
    take_card_in_turn      a card that was read, not the last of its deal judge, then Cards.deal_in_turn resumes
    LazyExpectation        an act that is certainly legal                 the expectation is built, then judge

`False` or `None` means that nothing has changed and the longer way must be taken. `TableEngine(..., is_fast=False)`
takes it always; tests/engine/test_fast_paths.py feeds both the same inputs and compares everything that comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Slot
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, AnyBody, BankPosted, BetsClosed, CardOut, FloorAct, Input, WagerPlaced
from controller.engine.procedures.rules import FLOOR_ACTS
from controller.engine.round.cards import CardsInTurn
from controller.engine.round.felt import Table
from controller.engine.round.kernel import Round
from controller.engine.round.wagers import Wagers
from controller.engine.table.current_round import Shared
from controller.engine.table.devices.counters import DeviceCounters
from controller.engine.table.devices.numbers import DeviceNumbers
from controller.engine.table.state import TableState

_WAGER: Final = WagerPlaced
_CARD: Final = CardOut
_ACT: Final = Act
"""Compiled, a name of this module is quicker to find than an imported one."""
_NOBODY: Final = Audience.NOBODY
_ALL: Final = Audience.ALL
"""Python 3.11 takes long to look up a member of an enum."""


class PlainInputs:
    """Inputs that are a part of the running round and nothing else: almost all."""

    def __init__(
        self,
        shared: Shared,
        numbers: DeviceNumbers,
        counters: DeviceCounters,
        *,
        close: Callable[[Round], None],
        handled: Container[type],
    ) -> None:
        """`handled`: the inputs that are not of the running round alone. `close` ends a round."""
        self._lasting, self._current, self._numbers, self._counters = shared.lasting, shared.current, numbers, counters
        self._close, self._handled = close, handled
        self._plain: TableState | None = None
        """The last state that was found to be plain, which is checked for every input."""

    def apply(self, value: Input) -> list[ev.Event] | None:
        now, body, lasting = self._current, value.body, self._lasting
        current = now.round
        if (
            current is None
            or not current.begun
            or type(body) in self._handled
            or (type(body) is FloorAct and body.do in FLOOR_ACTS)
            or value.asked is not None
            or not (lasting.state is self._plain or self._is_plain(lasting.state))
            or not self._counters.follows(value)
            or not (value.ref is None or self._take_next_number(value))
        ):
            return None
        if value.counter is not None:
            self._counters.advance(value)
        lasting.now = value.at
        now.played.inputs.append(value)
        if not feed(current, body):
            current.feed(body)
        if current.over:
            self._close(current)
        events = current.table.events
        caused = events[:]
        events.clear()
        return caused

    def _is_plain(self, state: TableState) -> bool:
        """No fee goes by the clock, no sensor's books are open, nobody is away: an input makes nothing else due."""
        if state.fee_clock is not None or state.drop.books or state.conduct.away:
            return False
        self._plain = state
        return True

    def _take_next_number(self, value: Input) -> bool:
        by, seen = value.by, self._lasting.own_seen
        count = self._numbers.counts.get(by)
        if (
            count is None
            or count.next != value.ref
            or seen is not self._lasting.state.seen
            or seen.get(by) != count.last
        ):
            return False
        seen[by] = count.next
        count.advance()
        return True


def feed(current: Round, body: AnyBody) -> bool:
    """Pass an input on to the script, or do what the script would, where `judge` would certainly find it legal."""
    if current.waiting is None:
        current.start()
    table, waiting = current.table, current.waiting
    wagers = table.wagers
    try:
        if type(body) is _WAGER:
            # A script that takes wagers and nothing else would only wait for the same again.
            if waiting is not wagers.only_wagers or not take_plain_wager(wagers, body):
                return False
            current.begun = True
            return True
        if type(body) is _CARD:
            code = body.card
            if body.locked:
                return False
            if type(waiting) is CardsInTurn:
                if code is not None and take_card_in_turn(table, waiting, code):
                    current.begun = True
                    return True
            elif not (type(waiting) is Expectation and waiting.wants and type(waiting.wants[0]) is WantCard):
                return False
            cards = table.cards
            if code is not None and cards.deck is not None and cards.one_card_problem(code) is not None:
                return False
        elif type(body) is _ACT:
            if not (isinstance(waiting, LazyExpectation) and waiting.admits(body)):
                return False
        elif waiting is not wagers.only_wagers:
            return False
        elif type(body) is BankPosted:
            if not take_bank(wagers, body):
                return False
            current.begun = True
            return True
        elif type(body) is not BetsClosed:
            return False
        current.begun = True
        current.send(body)
    except Exception as error:
        current.begun = True
        current.fail(error)
    return True


def take_plain_wager(wagers: Wagers, body: WagerPlaced) -> bool:
    """One of the many wagers that are legal by their amount alone."""
    place, wager, cents = body.place, body.wager, body.cents
    limits = wagers.plain_limits.get(wager)
    if limits is None or not limits[0] <= cents <= limits[1] or place not in wagers.seats:
        return False
    placed = wagers.book.get(place)
    if placed is None:
        wagers.book[place] = {wager: cents}
    else:
        placed[wager] = cents
    wagers.events.append(ev.WagerSet(place, wager, cents))
    if wagers.noted is not None:
        wagers.noted()
    return True


def take_bank(wagers: Wagers, body: BankPosted) -> bool:
    """The player-dealer's money."""
    for cents in body.spots:
        if cents < 0:
            return False
    wagers.place(body)
    return True


def take_card_in_turn(table: Table, turn: CardsInTurn, code: str) -> bool:
    """A card that was read, to the hand whose turn it is. Not the last card, and none that cannot be in this deck."""
    at, order = turn.at + 1, turn.hands
    if at == len(order):
        return False
    cards = table.cards
    deck = cards.deck
    if deck is not None:
        out = cards.out
        copies = out.get(code, 0) + 1
        if copies > deck.get(code, 0):
            return False
        out[code] = copies
    hand = order[at - 1]
    slot = Slot(CARDS[code], _ALL if turn.up else _NOBODY)
    cards.left.append(slot)
    hand.slots.append(slot)
    table.events.append(ev.CardDealt(hand.owner, turn.target, slot.face if turn.up else None))
    if turn.served is not None:
        turn.served.append(int(hand.owner))
    turn.wait_at(at)
    return True
