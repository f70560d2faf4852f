"""What a game does, seen by playing it: the order of the deal, who decides what, the order of settlement.

All of this is in the game's script and nowhere else. So the engine's own bot plays some rounds, from a seed that is
the ruleset's name, at a small table without a posted schedule, and what the table waited for is written down. The same
rules give the same rounds. A round that is void, or that the floor has to decide, is left out.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect.bot import NoAnswer, answer
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.wants import AnyWant, WantCard, WantDice, WantFloor, WantWagers
from controller.engine.inputs import Act, AnyBody, CardOut, Input, Place, StackOut, seat_of
from controller.engine.round.felt import Setup
from controller.engine.round.game import Game
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState

LEAST_SEATS = 3
BUTTON = 1
ROUNDS, MOST_ROUNDS = 60, 300
"""Rounds that are played without seeing another decision, and in all."""
MOST_INPUTS = 400
"""Of one round; longer ones are left out."""
FIRST_INPUTS = 20
"""Enough for a fresh shoe and its burn, until wagers are taken."""
BANK = 100_000_000
FEW = 3
"""Cards of a hand that is not a seat's, such as the banker's, up to which more of them show more of the game."""


class Dealt(Struct, frozen=True):
    """Cards to one owner."""

    to: str
    count: int
    face_up: bool
    piece: str = "card"
    turned_up: int = 0
    """How many of a whole stack lie face up at once."""


class Decides(Struct, frozen=True):
    """One place is asked."""

    place: Place
    choices: tuple[str, ...]


class Happens(Struct, frozen=True):
    """Anything else that the table sees: dice, a hand turned up, a street."""

    what: str
    who: str = ""


Step = Dealt | Decides | Happens


class PlayedRound(Struct):
    """One settled round."""

    steps: list[Step] = field(default_factory=list)
    lines: tuple[ev.Line, ...] = ()
    """The wagers in the order in which they were settled."""
    pots: tuple[ev.Pot, ...] = ()

    @property
    def kinds(self) -> int:
        """How much of the game is in it."""
        drawn = Counter(step.to for step in self.steps if isinstance(step, Dealt) and not step.to[:1].isdigit())
        further = sum(min(count, FEW) for count in drawn.values())
        return len({_kind(step) for step in self.steps}) + len({line.wager for line in self.lines}) + further

    @property
    def spots(self) -> int:
        """How many further spots of a seat are in it."""
        return len({line.place for line in self.lines if isinstance(line.place, str)})

    @property
    def seats(self) -> int:
        """How many seats take part."""
        dealt = {step.to for step in self.steps if isinstance(step, Dealt) and step.to.isdigit()}
        return len(dealt | {str(seat_of(line.place)) for line in self.lines})


class Offered(Struct):
    """One thing that a seat may do at one stage of the round, with the bounds that were seen."""

    stage: str
    do: str
    amounts: bool = False
    """It names an amount that is not always the same share of the seat's wager."""
    shares: frozenset[Fraction] = frozenset()
    """The one amount that it has, as shares of the seat's first wager that were seen."""
    cards: tuple[int, int] | None = None
    piles: int = 0
    by: tuple[str, ...] = ()


class Play(Struct):
    """What was seen of a ruleset."""

    rounds: list[PlayedRound] = field(default_factory=list)
    wagers: dict[str, WagerRule] = field(default_factory=dict)
    decisions: dict[tuple[str, str], Offered] = field(default_factory=dict)
    dice: int = 0
    """How many are thrown at once; 0: none."""
    seats: tuple[int, ...] = ()
    player_dealer: int = 0
    button: int = BUTTON
    has_player_dealer: bool = False

    @property
    def example(self) -> PlayedRound | None:
        """The round that shows most of the game, the shortest of those; each seat with one hand."""
        return max(self.rounds, key=lambda one: (-one.spots, one.seats, one.kinds, -len(one.steps)), default=None)

    @property
    def fullest(self) -> PlayedRound | None:
        """The round in which most wagers were settled, those of a back line among them."""
        return max(self.rounds, key=lambda one: (one.seats, one.spots > 0, one.kinds, -len(one.lines)), default=None)


def played(game: Game[Any], options: Any, seed: str) -> Play:
    """Some rounds of a game; no round where nothing can be dealt of it."""
    table = a_table(options)
    seen = Play(seats=table.seats, player_dealer=table.player_dealer or 0, has_player_dealer=game.has_player_dealer)
    last_news = known = 0
    for number in range(MOST_ROUNDS):
        # Each round has its own chance, so that a choice which changes one round leaves the others as they are.
        one = _Round(game, options, seed, random.Random(f"{seed}/{number}"), seen)
        if not one.is_dealt:
            break
        one.play()
        if known != len(seen.decisions):
            last_news, known = number, len(seen.decisions)
        if number - last_news >= ROUNDS:
            break
    return seen


def offered(game: Game[Any], options: Any, slug: str) -> list[WagerRule]:
    """The wagers that a table with these options opens with, within the limits that it posts; the first bets are enough
    to see them."""
    seen = Play()
    _Round(game, options, slug, random.Random(slug), seen).play(FIRST_INPUTS)
    return list(seen.wagers.values())


class _Round:
    """One round from its first wager to its settlement, at a table of its own."""

    def __init__(self, game: Game[Any], options: Any, slug: str, rng: random.Random, seen: Play) -> None:
        self._engine = TableEngine(game, options, TableState(a_table(options)), slug)
        self._rng, self._seen = rng, seen
        deck = game.deck(options) or dict.fromkeys(codes(standard_deck()), 1)
        self._pack = [code for code, count in deck.items() for _ in range(count)]
        rng.shuffle(self._pack)
        self._round = PlayedRound()
        self._stage = ""

    @property
    def is_dealt(self) -> bool:
        """Some sheets answer questions only: the table waits for the floor to choose a game."""
        return not all(isinstance(want, WantFloor) and not want.choices for want in self._engine.expectation.wants)

    def play(self, most: int = MOST_INPUTS) -> None:
        for at in range(most):
            wants = self._engine.expectation.wants
            if any(isinstance(want, WantFloor) for want in wants):
                return
            try:
                body = answer(
                    self._engine.expectation,
                    self._rng,
                    self._pack.pop,
                    name_card=self._pack.pop,
                    look=lambda place: own_cards(self._engine, place),
                )
                body = self._whole_stack(wants, body)
            except (NoAnswer, IndexError, ValueError):
                return
            self._note_input(wants, body)
            before = len(self._round.steps)
            if self._note_events(self._engine.apply(Input(at, "bot", body))):
                return
            self._note_turned_up(body, before - 1)

    def _whole_stack(self, wants: Sequence[AnyWant], body: AnyBody) -> AnyBody:
        """The bot gives a stack card by card as often as whole; a machine gives whole ones."""
        whole = next((want.count for want in wants if isinstance(want, WantCard)), 1)
        if isinstance(body, CardOut) and whole > 1:
            return StackOut((body.card, *(self._pack.pop() for _ in range(whole - 1))))
        return body

    def _note_input(self, wants: Sequence[AnyWant], body: AnyBody) -> None:
        for want in wants:
            match want, body:
                case WantWagers(), _:
                    self._seen.wagers |= {rule.id: rule for rule in want.rules}
                case WantDice(), _:
                    self._seen.dice = want.count
                case WantCard(), CardOut() | StackOut():
                    count = len(body.cards) if isinstance(body, StackOut) else 1
                    self._round.steps.append(Dealt(want.to, count, want.face_up, want.piece))
                case WantDecision(), Act() if want.seat == body.seat:
                    self._round.steps.append(Decides(want.seat, tuple(choice.do for choice in want.choices)))
                    for choice in want.choices:
                        self._note_choice(choice, want.seat)

    def _note_turned_up(self, body: AnyBody, at: int) -> None:
        """Of a stack that lies face down the cards that are face up at once, such as one of the player-dealer's."""
        engine = self._engine
        if not isinstance(body, StackOut) or engine.round is None or at < 0:
            return
        step = self._round.steps[at]
        hand = engine.round.table.hands.get(step.to) if isinstance(step, Dealt) else None
        if hand is None or not isinstance(step, Dealt) or step.face_up:
            return
        up = sum(slot.face_if_exposed is not None for slot in hand.slots[-step.count :])
        self._round.steps[at] = replace(step, turned_up=up)

    def _first_wager(self, place: Place) -> int:
        """What the place has on the first wager that it may place by itself."""
        assert self._engine.round is not None
        wagers = self._engine.round.table.wagers
        own = wagers.book.get(place, {})
        return next((own[rule.id] for rule in wagers.rules if not rule.needs and own.get(rule.id)), 0)

    def _note_choice(self, choice: Choice, place: Place) -> None:
        key = self._stage, choice.do
        offered = self._seen.decisions.setdefault(key, Offered(*key))
        first = self._first_wager(place) if choice.cents and self._seen.has_player_dealer else 0
        if choice.cents and first:
            offered.shares |= {Fraction(choice.cents, first)}
        else:
            offered.amounts |= bool(choice.max_cents or choice.to or choice.to_one_of or choice.cents)
        if choice.count is not None:
            least, most = offered.cards or choice.count
            offered.cards = min(least, choice.count[0]), max(most, choice.count[1])
        offered.piles = max(offered.piles, choice.piles)
        offered.by = tuple(sorted({*offered.by, *choice.by}))

    def _note_events(self, events: Sequence[ev.Event]) -> bool:
        """Whether the round is over."""
        steps = self._round.steps
        for event in events:
            match event:
                case ev.StreetDealt():
                    self._stage = event.name
                    steps.append(Happens("stage", event.name))
                case ev.DiceShown():
                    steps.append(Happens("dice", str(len(event.values))))
                case ev.ActionButton():
                    steps.append(Happens("action button", str(event.seat)))
                case ev.PileGiven():
                    steps.append(Happens("pile", event.to))
                case ev.HandShown():
                    steps.append(Happens("shown", event.owner))
                case ev.HandSet():
                    steps.append(Happens("set", event.owner))
                case ev.BettingClosed():
                    steps.append(Happens("bets closed"))
                case ev.RoundSettled():
                    self._round.lines, self._round.pots = event.lines, event.pots
                    self._seen.rounds.append(self._round)
                    return True
                case ev.RoundVoided() | ev.Held():
                    return True
        return False


def a_table(options: Any) -> Setup:
    """A few players, a player-dealer, a button, blinds and stacks: every game takes what it needs of it."""
    players = max(LEAST_SEATS, getattr(options, "fewest_seats", 0))
    seats = tuple(range(1, players + 1))
    settings = {
        "structure": {"kind": "fixed_limit", "low": 400, "high": 800},
        "blinds": {2: 200, 3: 400},
        "stacks": dict.fromkeys(seats, 100_000),
    }
    return Setup(seats, players + 1, BUTTON, settings, bank=(BANK,))


def own_cards(engine: TableEngine[Any], place: Place) -> list[str]:
    """What a player sees of his own cards."""
    assert engine.round is not None
    table, seat = engine.round.table, seat_of(place)
    owners = {str(seat), "player_dealer"} if seat == table.player_dealer else {str(seat)}
    hands = [hand for owner, hand in table.hands.items() if owner.partition(".")[0] in owners]
    return [slot.card.code for hand in hands for slot in hand if slot.is_read]


def _kind(step: Step) -> object:
    match step:
        case Dealt():
            return "seat" if step.to[:1].isdigit() else step.to, step.face_up
        case Decides():
            return step.choices
    return step.what, step.who if step.what == "stage" else ""
