"""Watches the exposed cards of a shoe for a pack that was never shuffled, or badly.

A wager against the shoe. Each *suspicion* names, before a card is seen, which card it expects next: the one above the
last card in its suit, the one below, the one that followed it earlier in this shoe, one that stood beside it in an
earlier shoe. It stakes a part of its capital on that. The odds are fair by the cards that nobody has seen yet: so from
a well shuffled pack a suspicion wins nothing in the long run, and the chance that all capital together ever grows a
million times is at most one in a million per shoe, whatever the rules of the game are and however often one looks
(Ville's inequality; docs/compliance/integrity.md derives it). From a pack in order it doubles with almost every card.

Only exposed cards come here, in the order in which they left the shoe; a card that was not shown is a gap. Everything
is whole numbers, rounded down, which can only make a false alarm rarer.

    >>> deck = {rank + suit: 1 for suit in "cdhs" for rank in "23456789TJQKA"}
    >>> watched(ShuffleWatch(), list(deck)[:AT_ONCE], deck).alarm
    'new_deck_order'
    >>> watched(ShuffleWatch(), ["9h", "Kd", None, "2c", "7s", "7d", "As"], deck).alarm
    ''
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from controller.engine.cards.card import CARDS, RANKS, SUITS
from controller.engine.shoe.shoe import ONE, ShuffleWatch

FALSE_ALARMS_IN = 1_000_000
"""Shoes, well shuffled, in which at most one false alarm is to be expected."""
EARLIER_SHOES = 2
"""How many shoes back a repeat is looked for: the same pack again, or one of two in turn."""
AT_ONCE = 20
"""Cards that are bet on at once, some four hands: looking more often would cost every hand and find little sooner."""

_GAP: Final = "."
_RESERVE = 8
"""Which part of the reserve comes into play each time: so a clump late in the shoe finds capital too."""
_ORDER_BET: Final = 4
_REPEAT_BET: Final = 3
"""What is staked on each card, as halvings of the capital: a sixteenth, an eighth. A pack riffled a few times keeps few
neighbours together, so the suspicion of new-deck order bets low and lasts long. A loser has the rest left."""
_ORDER_REST: Final = (1 << _ORDER_BET) - 1
_REPEAT_REST: Final = (1 << _REPEAT_BET) - 1
_NAMES = ("new_deck_order", "new_deck_order_reversed", "repeats_itself", "repeats_earlier_shoe")

_SIGNS = "".join(chr(code) for code in range(0x30, 0x30 + len(CARDS) + 2) if chr(code) not in '\\"')
_SIGN: Final[dict[str, str]] = dict(zip(CARDS, _SIGNS, strict=False))
"""One sign for each card, so that a shoe is a short text."""
_CODE: Final[dict[str, str]] = {sign: code for code, sign in _SIGN.items()}
_UP: Mapping[str, str] = {
    _SIGN[rank + suit]: _SIGN[above + suit]
    for suit in SUITS
    for rank, above in zip(RANKS, RANKS[1:] + RANKS[0], strict=True)
}
_DOWN: Mapping[str, str] = {above: below for below, above in _UP.items()}
_WIDE: Final = ord(_SIGNS[-1]) + 1
"""The length of a row in a table of pairs, one row for each sign: every card dealt is looked up, and an index is faster
than a text."""
_MOST = 255
"""A shoe with more copies of one card was misread; no later one is compared with it."""


def _pair_table(pairs: Mapping[str, int]) -> bytes:
    """By pair of signs, as `first * _WIDE + second`."""
    table = bytearray(_WIDE * _WIDE)
    for pair, number in pairs.items():
        table[ord(pair[0]) * _WIDE + ord(pair[1])] = number
    return bytes(table)


_UPWARDS: Final = 1
_DOWNWARDS: Final = 2
_IN_ORDER: Final = _pair_table(
    {below + above: _UPWARDS for below, above in _UP.items()}
    | {above + below: _DOWNWARDS for below, above in _UP.items()}
)
"""Neighbours of a new deck, and which way they go."""


class Evidence(NamedTuple):
    """Why a shoe is suspected: `hits` of `pairs` neighbours came as expected, where chance gives about `by_chance`."""

    hits: int
    pairs: int
    by_chance: int


def watched(
    watch: ShuffleWatch,
    faces: Sequence[str | None],
    deck: dict[str, int],
    earlier: tuple[str, ...] = (),
    one_in: int = FALSE_ALARMS_IN,
) -> ShuffleWatch:
    """The watch after a hand has taken these cards from the shoe, None for one that was not shown.

    Bets are settled for some hands at once. A part of the reserve comes into play before the first card of them; then
    capital is only multiplied, so one product for each suspicion is enough.
    """
    seen = watch.seen + "".join([_GAP if face is None else _SIGN[face] for face in faces])
    if watch.alarm or len(seen) < watch.judged + AT_ONCE:
        return ShuffleWatch(seen, watch.judged, watch.reserve, watch.stakes, watch.alarm)
    share = watch.reserve // _RESERVE
    reserve = watch.reserve - share
    bets, within, won = _bets(seen, watch.judged, deck, earlier)
    stakes = _settled(watch.stakes or (0,) * (3 + 2 * len(earlier)), share, bets, within, won)
    alarm = ""
    if sum(stakes) + len(stakes) * reserve >= len(stakes) * ONE * one_in:
        alarm = _NAMES[min(stakes.index(max(stakes)), 3)]
    return ShuffleWatch(seen, len(seen), reserve, stakes, alarm)


def _bets(
    seen: str, judged: int, deck: dict[str, int], earlier: tuple[str, ...]
) -> tuple[int, int, list[tuple[int, int]]]:
    """The bets on the cards since `judged`: how many, how many within the shoe, and those that were won."""
    signs, gap = seen.encode("latin-1"), ord(_GAP)
    shoes = [_earlier(shoe) for shoe in earlier]
    in_order, wide = _IN_ORDER, _WIDE
    cards, gaps = sum(deck.values()), seen.count(_GAP)
    bets = within = 0
    won: list[tuple[int, int]] = []
    for i in range(max(judged, 1), len(signs)):
        last, sign = signs[i - 1], signs[i]
        if gaps and gap in (last, sign):
            continue
        bets += 1
        forth, back = last * wide + sign, sign * wide + last
        order = in_order[forth]
        before = signs.rfind(last, 0, i - 1)
        again = False
        if before >= 0:
            within += 1
            again = signs[before + 1] == sign
        hit = again or order > 0
        for shoe in shoes:
            if shoe.followed[forth] or shoe.followed[back]:
                hit = True
        if not hit:
            continue
        left = deck.get(_CODE[seen[i]], 0) - signs.count(sign, 0, i)
        if left <= 0:
            continue
        unseen = cards - i + (signs.count(gap, 0, i) if gaps else 0)
        if order:
            won.append((order - _UPWARDS, unseen // left))
        if again:
            won.append((2, unseen // left))
        which = 3
        for shoe in shoes:
            among = shoe.times[last] * left
            if shoe.followed[forth]:
                won.append((which, shoe.followed[forth] * unseen // among))
            if shoe.followed[back]:
                won.append((which + 1, shoe.followed[back] * unseen // among))
            which += 2
    return bets, within, won


def _settled(
    stakes: tuple[int, ...], share: int, bets: int, bets_within: int, won: Sequence[tuple[int, int]]
) -> tuple[int, ...]:
    """Capital after this number of bets of each suspicion, of which these were won, each at what one was paid."""
    lost, gained = [bets] * len(stakes), [1] * len(stakes)
    lost[2] = bets_within
    for which, of in won:
        lost[which] -= 1
        gained[which] *= (_ORDER_REST if which < 2 else _REPEAT_REST) + of
    settled: list[int] = []
    for which, capital in enumerate(stakes):
        made = bets_within if which == 2 else bets
        rest, power = (_ORDER_REST, _ORDER_BET) if which < 2 else (_REPEAT_REST, _REPEAT_BET)
        settled.append((capital + share) * rest ** lost[which] * gained[which] >> power * made)
    return tuple(settled)


class _Earlier:
    """An earlier shoe, looked at as pairs."""

    __slots__ = ("followed", "times")

    def __init__(self, shoe: str) -> None:
        signs, gap, wide = shoe.encode("latin-1"), ord(_GAP), _WIDE
        followed, times = bytearray(wide * wide), bytearray(wide)
        if max(map(signs.count, set(signs) - {gap}), default=0) <= _MOST:
            last = gap
            for sign in signs:
                if sign != gap:
                    times[sign] += 1
                    if last != gap:
                        followed[last * wide + sign] += 1
                last = sign
        self.followed = bytes(followed)
        """How often each card was followed by each other, by pair of signs."""
        self.times = bytes(times)
        """How often each card was there."""


@lru_cache(maxsize=2 * EARLIER_SHOES)
def _earlier(shoe: str) -> _Earlier:
    return _Earlier(shoe)


def evidence(watch: ShuffleWatch, deck: dict[str, int], earlier: tuple[str, ...] = ()) -> Evidence:
    """What the suspicion that raised the alarm has seen."""
    which = watch.stakes.index(max(watch.stakes))
    seen, cards = watch.seen, sum(deck.values())
    hits = pairs = chance = 0
    for i, (last, sign) in enumerate(pairwise(seen), start=1):
        if _GAP in (last, sign):
            continue
        expected = _expected(which, seen[:i], last, earlier)
        if expected:
            pairs += 1
            hits += sign in expected
            chance += sum(deck.get(_CODE[other], 0) for other in expected)
    return Evidence(hits, pairs, chance // cards)


def _expected(which: int, seen: str, last: str, earlier: tuple[str, ...]) -> set[str]:
    if which < 2:
        return {(_UP, _DOWN)[which].get(last, _GAP)} - {_GAP}
    if which == 2:
        before = seen.rfind(last, 0, -1)
        return {seen[before + 1]} - {_GAP} if before >= 0 else set()
    shoe = earlier[(which - 3) // 2]
    beside = shoe if which % 2 else shoe[::-1]
    return {other for one, other in pairwise(beside) if one == last} - {_GAP}


def places(watch: ShuffleWatch, face: str) -> list[int]:
    """Where in the shoe a card was shown: its first card is 1."""
    sign = _SIGN[face]
    return [i for i, other in enumerate(watch.seen, start=1) if other == sign]
