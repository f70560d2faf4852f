"""What becomes of each wager in each situation: hands that are chosen for it are dealt, and the table settles them.

The order of play shows one round; this shows the rule: a player-dealer who does not qualify, equal hands, a fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.bets.wagers import DEALER_TIP
from controller.engine.cards.card import CARDS, JOKER, Card, codes, standard_deck
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.wants import AnyWant, WantCard, WantShoe, WantWagers
from controller.engine.inputs import Act, AnyBody, BetsClosed, CardOut, Input, Place, ShoeStarted, WagerPlaced
from controller.engine.round.felt import BURN
from controller.engine.round.game import Game
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.three_card_holdem.options import ThreeCardHoldemOptions
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.baccarat.options import BaccaratOptions
from controller.games.blackjack.options import BlackjackRules
from controller.packet.document import Grid
from controller.packet.play import a_table
from controller.packet.tables.blackjack import hand_of
from controller.packet.values import words

SEAT = 1
STAKE = 100_000
"""Whole dollars at every printed payoff."""
MOST_INPUTS = 200
FOLD, CHECK, INSURANCE = "fold", "check", "insurance"
DECLINES = ("no_insurance", "no_surrender", "stand")
NO_LINE = "is not made"


class Situation(Struct, frozen=True):
    """One deal that shows one rule."""

    said: str
    hands: Mapping[str, str]
    """Cards by owner, in the order in which they are dealt."""
    does: str = ""
    """What the player does where he may; else he neither insures nor draws, and bets whenever he is asked."""
    side_bets: bool = True
    """Each is placed; no where what they pay has nothing to do with the situation."""


class Settled(Struct, frozen=True):
    """How one deal ended."""

    wagers: dict[str, str]
    qualified: bool | None


def outcomes(game: Game[Any], options: Any, slug: str) -> list[Grid]:
    """The table of situations and wagers; none for a family whose own tables have it."""
    chosen = tuple(_situations(game, options))
    settled = [(one, found) for one in chosen if (found := _dealt(game, options, slug, one)) is not None]
    wagers = list(dict.fromkeys(wager for _, found in settled for wager in found.wagers))
    rows = dict.fromkeys(
        (_label(one, found), *(found.wagers.get(wager, NO_LINE) for wager in wagers)) for one, found in settled
    )
    if not rows:
        return []
    return [Grid("What becomes of each wager", ("", *map(words, wagers)), tuple(rows))]


def _label(one: Situation, found: Settled) -> str:
    if found.qualified is None or one.does == FOLD:
        return one.said
    return f"player-dealer {'qualifies' if found.qualified else 'does not qualify'}; {one.said}"


# The hands

HIGHER, EQUAL, LOWER = "player's hand higher", "equal hands", "player's hand lower"
STRAIGHT = "player's hand higher, a straight"
FOLDS = "the player folds"


class Hands(Struct, frozen=True):
    """The player-dealer's cards and those of the player, above, level with and below them."""

    bank: str
    higher: str
    equal: str
    lower: str


THREE_CARDS = (
    Hands("Js 8h 5d", higher="Kc 9d 4h", equal="Jc 8d 5h", lower="Tc 7d 4h"),
    Hands("Qs 8h 5d", higher="Kc 9d 4h", equal="Qc 8d 5h", lower="Jc 7d 4h"),
)
FIVE_CARDS = (
    Hands("Qs Js 9h 7d 4c", higher="Kc Qd 9d 7h 4h", equal="Qd Jd 9c 7c 4h", lower="Tc 8d 6h 4d 2s"),
    Hands("6s 6h 9h 7d 4c", higher="7c 7s 9d 8h 5h", equal="6d 6c 9c 7h 4h", lower="Tc 8d 5h 4d 2s"),
    Hands("As Ks 9h 7d 4c", higher="2c 2d 9d 8h 5h", equal="Ad Kd 9c 7c 4h", lower="Tc 8d 6h 4d 2s"),
)
HOLDEM_BOARD = "Ks 9d 2h"
HOLDEM = (
    Hands("Qs 6h", higher="Ac 7d", equal="Qc 6d", lower="Tc 4h"),
    Hands("9h 4s", higher="Kc 7d", equal="9c 4d", lower="Qc Th"),
)
ULTIMATE_BOARD, ULTIMATE_STRAIGHT = "2s 5h 9d Jc Kd", "Qh Th"
ULTIMATE = (
    Hands("Qc 3c", higher="Ah 7c", equal="Qd 3d", lower="8d 4d"),
    Hands("2c 7s", higher="Kh 3h", equal="2d 7d", lower="Ah 3h"),
)
"""Of each game a player-dealer who does not qualify, then one who does; what the table says of him is printed."""

BACCARAT = (
    ("player hand wins with a natural", "9s Kh", "7d Qs"),
    ("player hand wins with eight in three cards", "2s 3h 3d", "7d Qs"),
    ("player hand wins by nine", "2s Ah 6d", "Kd Qs Jc"),
    ("player hand wins by three, no natural", "7s Kh", "4d Qs Jc"),
    ("{bank} hand wins with a natural", "7s Kh", "9d Qs"),
    ("{bank} hand wins with seven in three cards", "6s Kh", "2d Qs 5d"),
    ("{bank} hand wins with six in two cards", "2s Kh Ad", "6d Qs"),
    ("{bank} hand wins by five, no natural", "Ks 2h Jd", "7d Qs"),
    ("equal hands, no naturals", "7s Kh", "6d As"),
    ("equal naturals", "9s Kh", "8d As"),
)


def _situations(game: Game[Any], options: Any) -> Iterator[Situation]:
    match options:
        case ThreeCardOptions():
            yield from _against(THREE_CARDS)
        case CaribbeanOptions():
            yield from _against(FIVE_CARDS)
        case ThreeCardHoldemOptions():
            yield from _against(HOLDEM, HOLDEM_BOARD)
        case UthOptions():
            for hands in ULTIMATE:
                yield Situation(STRAIGHT, _dealt_to(hands.bank, ULTIMATE_STRAIGHT, ULTIMATE_BOARD))
            yield from _against(ULTIMATE, ULTIMATE_BOARD)
        case BaccaratOptions():
            bank = getattr(game, "bank_hand", "banker")
            for said, player, other in BACCARAT:
                yield Situation(said.format(bank=bank), {"player": player, bank: other})
        case BlackjackRules():
            yield from _blackjack(game, options)


def _against(chosen: Sequence[Hands], board: str = "") -> Iterator[Situation]:
    for hands in chosen:
        for said, player in ((HIGHER, hands.higher), (EQUAL, hands.equal), (LOWER, hands.lower)):
            yield Situation(said, _dealt_to(hands.bank, player, board))
    yield Situation(FOLDS, _dealt_to(chosen[-1].bank, chosen[-1].lower, board), FOLD)


def _blackjack(game: Game[Any], options: BlackjackRules) -> Iterator[Situation]:
    """Naturals, insurance and surrender; which total beats which is in the table of the hand ranking."""
    by_rank: dict[str, Card] = {}
    for code in game.deck(options) or ():
        by_rank.setdefault(code[0], CARDS[code])
    ace, ten, nine, six = (by_rank[rank] for rank in "AK96")
    pairs = ((ace, ten), (ace, ace), (CARDS[JOKER], CARDS[JOKER]))
    natural = next(pair for pair in pairs if options.count(hand_of(pair)).natural)
    name, plain = words(options.count(hand_of(natural)).natural), (ten, nine)
    yield _at_blackjack(f"both hold {name}", natural, natural)
    yield _at_blackjack(f"the player alone holds {name}", plain, natural)
    yield _at_blackjack(f"the player-dealer alone holds {name}", natural, plain)
    if options.insurance and options.insures(ace):
        yield _at_blackjack(f"the player-dealer alone holds {name}, insured", natural, plain, INSURANCE)
        yield _at_blackjack(f"both hold {name}, insured", natural, natural, INSURANCE)
        yield _at_blackjack(f"an ace of the player-dealer, no {name}, insured", (ace, nine), plain, INSURANCE)
    if options.surrender:
        yield _at_blackjack("the player surrenders", plain, (ten, six), "surrender")


def _at_blackjack(said: str, bank: Sequence[Card], player: Sequence[Card], does: str = "") -> Situation:
    dealt = _dealt_to(" ".join(card.code for card in bank), " ".join(card.code for card in player))
    return Situation(said, dealt, does, side_bets=False)


def _dealt_to(bank: str, player: str, board: str = "") -> Mapping[str, str]:
    return {"player_dealer": bank, str(SEAT): player, "board": board}


# The table


def _dealt(game: Game[Any], options: Any, slug: str, one: Situation) -> Settled | None:
    """One deal at a table with one player; None where it does not come to its end with exactly these cards."""
    deal = _Deal(TableEngine(game, options, TableState(a_table(options)), slug), one)
    return deal.settled()


class _Deal:
    """One table, fed with the cards of a situation; what nobody is meant to hold, such as a burn, is any other card."""

    def __init__(self, engine: TableEngine[Any], one: Situation) -> None:
        self._engine, self._one = engine, one
        self._left = {owner: cards.split() for owner, cards in one.hands.items()}
        held = {card for cards in self._left.values() for card in cards}
        self._other = [code for code in codes(standard_deck()) if code not in held]
        self._stakes: dict[str, int] = {}

    def settled(self) -> Settled | None:
        for at in range(MOST_INPUTS):
            body = self._answer(self._engine.expectation.wants)
            if body is None:
                return None
            for event in self._engine.apply(Input(at, "packet", body)):
                match event:
                    case ev.Refused() | ev.Held() | ev.RoundVoided():
                        return None
                    case ev.WagerSet():
                        self._stakes[event.wager] = event.cents
                    case ev.RoundSettled():
                        return None if any(self._left.values()) else self._found(event)
        return None

    def _found(self, event: ev.RoundSettled) -> Settled:
        moved = {line.wager: Fraction(line.net, self._stakes[line.wager]) for line in event.lines}
        return Settled({wager: _said(share) for wager, share in moved.items()}, event.flags.get("qualified"))

    def _answer(self, wants: Sequence[AnyWant]) -> AnyBody | None:
        for want in wants:
            match want:
                case WantShoe():
                    return ShoeStarted()
                case WantWagers():
                    return self._wager(want)
                case WantDecision(seat=seat):
                    return self._decision(seat, want.choices) if not want.quiet else None
                case WantCard():
                    return self._card(want.to)
        return None

    def _wager(self, want: WantWagers) -> AnyBody:
        """One wager of each kind, all of the same amount; then no more bets."""
        for rule in want.rules:
            is_open = rule.id != DEALER_TIP and rule.seats != () and (self._one.side_bets or not rule.needs)
            if is_open and rule.id not in self._stakes:
                return WagerPlaced(SEAT, rule.id, STAKE)
        return BetsClosed()

    def _decision(self, seat: Place, choices: Sequence[Choice]) -> Act:
        by_name = {choice.do: choice for choice in choices}
        unwanted = {FOLD, CHECK} - {self._one.does}
        wanted = (self._one.does, *([CHECK] if self._one.does == FOLD else []), *DECLINES)
        choice = next(
            (by_name[do] for do in wanted if do in by_name),
            next((choice for choice in choices if choice.do not in unwanted), choices[0]),
        )
        cents = choice.cents or choice.max_cents if choice.do == INSURANCE else None
        if cents:
            self._stakes[INSURANCE] = cents
        return Act(seat, choice.do, cents=cents)

    def _card(self, owner: str) -> CardOut | None:
        if owner == BURN:
            return CardOut(self._other.pop())
        left = self._left.get(owner)
        return CardOut(left.pop(0)) if left else None


def _said(share: Fraction) -> str:
    """
    >>> _said(Fraction(3, 2)), _said(Fraction(0)), _said(Fraction(-1))
    ('3 to 2', 'goes back', 'lost')
    >>> _said(Fraction(-1, 2))
    'half of it is lost'
    """
    if share > 0:
        return f"{share.numerator} to {share.denominator}"
    if share == 0:
        return "goes back"
    return "lost" if share == -1 else "half of it is lost" if share == Fraction(-1, 2) else f"{-share} of it is lost"
