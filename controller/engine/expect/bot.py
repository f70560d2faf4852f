"""A bot that plays any game at random, from the public expectation alone.

It knows no game: whatever a want offers, it picks one legal answer. Chance comes from outside, so a seed replays a
whole evening; cards come from the driver, which has the deck. What a game cannot say in its expectation, the bot cannot
play: that is what it is for.

    >>> import random
    >>> from controller.engine.expect.choices import Choice, WantDecision
    >>> from controller.engine.expect.expectation import Expectation
    >>> waiting = Expectation((WantDecision(3, (Choice("raise", to=(600, 900)),)),))
    >>> act = answer(waiting, random.Random(1), next_card=lambda: None)
    >>> act.seat, act.do, 600 <= act.to <= 900
    (3, 'raise', True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar, assert_never

from msgspec.structs import replace

from controller.engine.bets.back_line import open_behind, spots_behind
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.melds import Laying, any_layings, cards_of, layings
from controller.engine.expect.bank import RESUME, WantBank
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation, judge
from controller.engine.expect.wants import (
    WantCard,
    WantDice,
    WantDrop,
    WantFloor,
    WantOpening,
    WantPack,
    WantRepair,
    WantReveal,
    WantShoe,
    WantWagers,
)
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankAnswered,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    PackReported,
    Place,
    Revealed,
    ShoeStarted,
    StackOut,
    WagerPlaced,
)

T = TypeVar("T")
CHIP = 500
"""What the bot counts in, cents; amounts between two chips come too, where a game allows them."""
MOST_CHIPS = 20
GIVES_UP = ("drop", "fold", "muck", "surrender")
"""Thought over once, since more of a game is seen by who stays in it."""
SELDOM = 40
BEHIND = 6
"""One wager in six is a back-line bettor's, where the game takes them."""
TRIES = 8
"""Wagers it tries before it takes one that is certainly legal."""


class Chance(Protocol):
    """Where the bot's choices come from; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int: ...


class NoAnswer(Exception):
    """The table waits for something that the bot was not given."""


def answer(
    expectation: Expectation,
    rng: Chance,
    next_card: Callable[[], str | None],
    *,
    name_card: Callable[[], str] | None = None,
    look: Callable[[Place], Sequence[str]] | None = None,
) -> AnyBody:
    """One input that the table accepts now.

    `next_card` takes a card off the deck, None where the reader missed it; `name_card` returns what such a card was;
    `look` is a seat's view of its own cards, for games where a player picks some of them.
    """
    if not expectation.wants:
        raise NoAnswer("the round is over; the table waits for nothing")
    want = _pick(rng, expectation.wants)
    match want:
        case WantCard():
            if want.count > 1 and _happens(rng, 2):
                return StackOut(tuple(next_card() for _ in range(want.count)))
            return CardOut(next_card())
        case WantWagers():
            return _bet(expectation, want, rng)
        case WantDecision():
            return _decide(want, rng, look)
        case WantDice():
            return DiceRolled(tuple(1 + rng.randrange(6) for _ in range(want.count)))
        case WantReveal():
            if name_card is None:
                raise NoAnswer(f"{want.prompt()}: the bot cannot name cards")
            return Revealed(want.owner, tuple(name_card() for _ in range(want.count)))
        case WantDrop():
            return FeesIn()
        case WantRepair() | WantOpening():
            raise NoAnswer(want.prompt())
        case WantShoe():
            return ShoeStarted()
        case WantPack():
            return PackReported()
        case WantBank():
            return _bank(want, rng)
        case WantFloor():
            if not want.choices:
                raise NoAnswer(f"{want.prompt()}: only the table's own settings help")
            do = _pick(rng, want.choices)
            seat = _pick(rng, want.seats) if want.names_seat(do) else None
            return FloorAct(do, "the bot decides", seat)
    assert_never(want)


# The player-dealer's position


def _bank(want: WantBank, rng: Chance) -> AnyBody:
    """Somebody takes the position, some decline it, or nobody takes it."""
    if want.any_seat:
        return BankAnswered(1 if want.holder != 1 else 2)
    if want.is_broken and want.may_resume and (not want.offered or _happens(rng, 2)):
        return FloorAct(RESUME, "the bot waited a while")
    if want.offered and _happens(rng, 2):
        place = _pick(rng, want.offered)
        before = want.offered[: want.offered.index(place)]
        return BankAnswered(place, tuple(other for other in before if other not in want.declined))
    if want.unasked and _happens(rng, 2):
        return BankAnswered(declined=want.unasked[: 1 + rng.randrange(len(want.unasked))])
    if want.may_be_nobody:
        return BankAnswered()
    if not want.offered:
        raise NoAnswer(f"{want.prompt()}: nobody is there to bank")
    return BankAnswered(want.offered[0])


# Wagers


def _bet(expectation: Expectation, want: WantWagers, rng: Chance) -> AnyBody:
    """A wager more, one less, the player-dealer's money, or "no more bets"."""
    unmatched = [(place, rule) for place in want.book for rule in want.rules if _is_missing(rule, want, place)]
    if unmatched and not _happens(rng, 6):
        place, rule = _pick(rng, unmatched)
        body = WagerPlaced(place, rule.id, _amount(rule, want, place, rng))
        if judge(expectation, body) is None:
            return body
    placed = sum(len(wagers) for wagers in want.book.values())
    open_spots = len(want.seats) * len(want.rules) - placed
    if want.may_close and _happens(rng, max(2, open_spots) if placed else SELDOM):
        return BetsClosed()
    if want.bank and _happens(rng, SELDOM):
        return BankPosted((CHIP * rng.randrange(MOST_CHIPS * len(want.seats) + 1),))
    for _ in range(TRIES if want.seats and want.rules else 0):
        seat = _pick(rng, want.seats)
        behind = open_behind(want.rules) if want.bank and _happens(rng, BEHIND) else ()
        spot = _pick(rng, spots_behind(want.book, seat, behind) or [seat]) if behind else seat
        rule = _pick(rng, behind or want.rules)
        body = WagerPlaced(spot, rule.id, _amount(rule, want, spot, rng))
        if judge(expectation, body) is None:
            return body
    if want.may_close:
        return BetsClosed()
    if want.bank:
        return BankPosted((CHIP * MOST_CHIPS,))
    raise NoAnswer(f"{want.prompt()}: the bot found no legal wager")


def _is_missing(rule: WagerRule, want: WantWagers, place: Place) -> bool:
    """It must match a wager that is there already: without it the place would not be dealt in."""
    placed = want.book[place]
    return rule.equals in placed and placed[rule.equals] != placed.get(rule.id)


def _amount(rule: WagerRule, want: WantWagers, place: Place, rng: Chance) -> int:
    if rule.equals is not None:
        return want.book.get(place, {}).get(rule.equals, CHIP)
    if _happens(rng, 15):
        return 0
    least = max(rule.min, 1)
    most = rule.max if rule.max is not None else max(least, CHIP * MOST_CHIPS)
    return _between(rng, least, most, rule.step)


# Decisions


def _decide(want: WantDecision, rng: Chance, look: Callable[[Place], Sequence[str]] | None) -> Act:
    playable = [choice for choice in want.choices if choice.by or not _needs_cards(choice) or look is not None]
    if not playable:
        raise NoAnswer(f"{want.prompt()}: the bot may not see the cards to choose from")
    choice = _pick(rng, playable)
    if choice.do in GIVES_UP:
        choice = _pick(rng, playable)
    melds = [
        (choice, laying) for choice in playable if choice.melds is not None for laying in _layings(choice, want, look)
    ]
    if melds and not _happens(rng, SELDOM):
        choice, laying = _pick(rng, melds)
        facts = {} if laying.onto is None else {"onto": laying.onto}
        return Act(want.seat, choice.do, cards=laying.cards, facts=facts)
    if choice.melds is not None:
        playable = [other for other in playable if other.melds is None]
        if not playable:
            raise NoAnswer(f"{want.prompt()}: the bot finds no meld to lay")
        choice = _pick(rng, playable)
    act = Act(
        want.seat,
        choice.do,
        cents=_cents(choice, rng),
        to=_to(choice, rng),
        pile=1 + rng.randrange(choice.piles) if choice.piles else None,
    )
    if choice.by and (_happens(rng, 2) or (_needs_cards(choice) and look is None)):
        return replace(act, by=_pick(rng, choice.by))
    if choice.count is None:
        return act
    seen = choice.cards or (_held(choice, look(want.seat)) if look is not None else ())
    least, most = choice.count
    named = _some(rng, seen, least + rng.randrange(max(least, min(most, len(seen))) - least + 1))
    return replace(act, front=named) if choice.do == "set" else replace(act, cards=named)


def _layings(choice: Choice, want: WantDecision, look: Callable[[Place], Sequence[str]] | None) -> Iterator[Laying]:
    """What may be laid of the seat's own cards; where nobody knows those, what somebody might lay."""
    assert choice.melds is not None
    lying = cards_of(choice.board)
    held = () if look is None else _held(choice, look(want.seat))
    found = any_layings(choice.board, choice.melds) if choice.unseen else layings(held, choice.board, choice.melds)
    least, most = choice.laid or (0, choice.melds.most)
    return (laying for laying in found if least <= lying.total() + len(laying.cards) <= most)


def _held(choice: Choice, mine: Sequence[str]) -> Sequence[str]:
    """A seat's cards that it has not laid down."""
    return list((Counter(mine) - cards_of(choice.board)).elements()) if choice.board else mine


def _needs_cards(choice: Choice) -> bool:
    if choice.melds is not None:
        return False
    return choice.count is not None and choice.count[0] > 0 and not choice.cards


def _cents(choice: Choice, rng: Chance) -> int | None:
    if choice.max_cents is not None:
        return _between(rng, choice.min_cents or 0, choice.max_cents)
    return choice.cents if _happens(rng, 2) else None


def _to(choice: Choice, rng: Chance) -> int | None:
    if choice.to_one_of:
        return _pick(rng, choice.to_one_of)
    return None if choice.to is None else _between(rng, *choice.to)


# Chance


def _happens(rng: Chance, one_in: int) -> bool:
    return rng.randrange(one_in) == 0


def _pick(rng: Chance, among: Sequence[T]) -> T:
    return among[rng.randrange(len(among))]


def _some(rng: Chance, among: Sequence[T], count: int) -> tuple[T, ...]:
    """`count` of them, each once, in any order."""
    left = list(among)
    return tuple(left.pop(rng.randrange(len(left))) for _ in range(count))


def _between(rng: Chance, least: int, most: int, step: int = 1) -> int:
    """Often an end or a whole number of chips, since that is where rules change."""
    low, high = -(-least // step), most // step
    if high <= low:
        return least
    match rng.randrange(4):
        case 0:
            return low * step
        case 1:
            return high * step
        case 2:
            return (low + rng.randrange(high - low + 1)) * step
    whole = (low * step + rng.randrange((high - low) * step + 1)) // CHIP * CHIP
    return whole if least <= whole and whole % step == 0 else high * step
