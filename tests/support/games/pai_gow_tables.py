"""A pai gow table to talk to: wagers, piles for the seats one wants, settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.engine import events as ev
from controller.engine.cards.card import standard_deck
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, AnyBody, BetsClosed, CardOut, DiceRolled, Input, Place, StackOut, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.pai_gow.options import PaiGowOptions
from controller.rules import load

RULESET = "turlock-fortune-pai-gow-poker"
SCHEDULE = "turlock-fortune-pai-gow-poker-in-game-rules/1"
DECK = [card.code for card in standard_deck(jokers=1)]
TO_SEAT_2 = DiceRolled((1, 1, 1))
"""Three, the player-dealer in seat 7 being one: seat 2 gets the first pile."""

PLAYER_DEALER = "Kc Kd 9h 7s 5c 3d 2h"
"""House way: nine-seven in front, kings behind."""
BEATEN = "Qc Qh 8d 7d 6c 4h 2s"
BEATS = "Ac Ad Qd Jh 9s 4d 3c"


def chosen_options(**chosen: object) -> PaiGowOptions:
    made = load(RULESET).options(chosen)
    assert isinstance(made, PaiGowOptions)
    return made


class At:
    """A table to talk to; the player-dealer sits in seat 7."""

    def __init__(self, setup: Setup | None = None, options: PaiGowOptions | None = None, **chosen: object) -> None:
        self.options = options or chosen_options(**chosen)
        setup = setup or Setup(seats=(1, 2, 3, 4, 5, 6), player_dealer=7, bank=(1_000_000,))
        self.engine = TableEngine(load(RULESET).game, self.options, TableState(setup), RULESET)
        self.inputs: list[AnyBody] = []
        self.events: list[ev.Event] = []

    def feed(self, *bodies: AnyBody) -> list[ev.Event]:
        events: list[ev.Event] = []
        for body in bodies:
            self.inputs.append(body)
            events += self.engine.apply(Input(0, "test", body))
        self.events += events
        return events

    def bet(self, **wagers: int) -> list[ev.Event]:
        """`seat2=1000, fortune2=500`."""
        placed = [
            WagerPlaced(int(name[-1]), "pai_gow" if name.startswith("seat") else "fortune", cents)
            for name, cents in wagers.items()
        ]
        return self.feed(*placed, BetsClosed())

    def deliver(self, hands: Mapping[int, str], first: int = 2, unread: Iterable[int] = ()) -> list[ev.Event]:
        """The shuffler's seven piles, so that each seat gets the cards named for it; stacks of unread cards too."""
        dealt = {seat: text.split() for seat, text in hands.items()}
        rest = [code for code in DECK if all(code not in hand for hand in dealt.values())]
        events = []
        for step in range(7):
            seat = (first - 1 + step) % 7 + 1
            hand = dealt.get(seat) or [rest.pop() for _ in range(7)]
            events += self.feed(StackOut(tuple(None if seat in unread else code for code in hand)))
        return events

    def round(self, hands: Mapping[int, str], *sets: Act, **wagers: int) -> ev.RoundSettled:
        self.bet(**wagers)
        self.deliver(hands)
        return settled(self.feed(TO_SEAT_2, *sets))

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)

    @property
    def document(self) -> dict[str, object]:
        assert self.engine.last is not None
        return self.engine.last.document


class Room(At):
    """A table of any of the rooms; the player-dealer sits in seat 7."""

    def __init__(self, slug: str, setup: Setup | None = None, **chosen: object) -> None:
        made = load(slug).options(chosen)
        assert isinstance(made, PaiGowOptions)
        self.options = made
        setup = setup or Setup(seats=(1, 2, 3, 4, 5, 6), player_dealer=7, bank=(1_000_000,))
        self.engine = TableEngine(load(slug).game, made, TableState(setup), slug)
        self.inputs, self.events = [], []

    def wager(self, wagers: Mapping[Place, Mapping[str, int]], *, close: bool = True) -> list[ev.Event]:
        placed = [WagerPlaced(place, name, cents) for place, by in wagers.items() for name, cents in by.items()]
        return self.feed(*placed, *([BetsClosed()] if close else ()))

    def piles(
        self,
        hands: Mapping[int, str],
        *,
        first: int = 2,
        action: int = 1,
        unread: Iterable[int] = (),
        stop_at: int | None = None,
    ) -> list[ev.Event]:
        """The cards as this table wants them, so that each seat gets its hand when `first` gets the action pile.

        `stop_at`: the number of cards after which the deal stops.
        """
        named = {seat: text.split() for seat, text in hands.items()}
        rest = [code for code in self._deck if all(code not in hand for hand in named.values())]
        piles = {}
        for step in range(7):
            seat, number = (first - 1 + step) % 7 + 1, (action - 1 + step) % 7 + 1
            cards = list(named.get(seat) or [rest.pop() for _ in range(7)])
            piles[f"pile_{number}"] = [None if seat in unread else code for code in cards]
        events, out = [], 0
        while (want := self._card_wanted()) is not None and out != stop_at:
            pile = piles.get(want.to)
            code = (None if unread else rest.pop()) if pile is None else pile.pop(0)
            events += self.feed(CardOut(code))
            out += 1
        return events

    def _card_wanted(self) -> WantCard | None:
        return next((want for want in self.engine.expectation.wants if isinstance(want, WantCard)), None)

    @property
    def _deck(self) -> list[str]:
        return [code for code, count in self.options.deck.items() for _ in range(count)]

    def choose(self, pile: int = 1) -> list[ev.Event]:
        return self.feed(Act(7, "choose_pile", pile=pile))


def house(seat: int) -> Act:
    return Act(seat, "set", by="house")


def front(seat: int, *cards: str) -> Act:
    return Act(seat, "set", front=cards)


def kinds(events: list[ev.Event]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]


def settled(events: list[ev.Event]) -> ev.RoundSettled:
    found = [event for event in events if isinstance(event, ev.RoundSettled)]
    assert len(found) == 1
    return found[0]


def refused(events: list[ev.Event]) -> list[str]:
    return [event.why for event in events if isinstance(event, ev.Refused)]


def lines(result: ev.RoundSettled) -> dict[tuple[Place, str], int]:
    return {(line.place, line.wager): line.net for line in result.lines}
