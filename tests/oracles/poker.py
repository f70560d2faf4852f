"""Who wins a pot, and how it is divided: hold'em, Omaha, Pineapple, stud, Razz, lowball, triple draw, Badugi.

The chips are followed act by act from the blinds and stacks; side pots, hands, halves and odd chips are worked out
here. Which cards a seat ends with is taken from the engine's result.

Sheets: those of `SHEETS` below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from tests.oracles.hands import best_five, five, value
from tests.oracles.played import Act, Played, Settled, Unexpected, clockwise

Key = tuple[int, ...]
"""The higher the better, in low games too."""


@dataclass(frozen=True)
class Sheet:
    high: str = "five"
    """`five`: the best five; empty: no high hand."""
    low: str = ""
    """`a5`, `27` or `badugi`."""
    hole: int | None = None
    """How many hole cards a hand must use."""
    low_at_most: int | None = None
    """The highest card of a low hand that takes its half; it has five different ranks."""
    odd: str = "first"
    """`first`: all odd chips to the first winner left of the button; `each`: one to each; `highest`, `lowest`: to who
    holds that card."""
    least_high: bool = False
    """The high half needs a pair."""
    declares: bool = False
    """Hands are shown by choice; who plays the board must declare it."""
    chip: int = 1
    posts_bring_in: bool = False
    """The bring-in is put in without an act."""


SHEETS: dict[str, Sheet] = {
    "bankers-texas-holdem": Sheet(declares=True),
    "bankers-omaha": Sheet(hole=2, declares=True),
    "bankers-omaha-hi-lo": Sheet(hole=2, low="a5", low_at_most=8, declares=True),
    "calgrand-texas-holdem": Sheet(),
    "calgrand-omaha": Sheet(hole=2),
    "turlock-texas-holdem": Sheet(odd="each", chip=100),
    "turlock-omaha": Sheet(hole=2, odd="each", chip=100),
    "turlock-omaha-high-low-split": Sheet(hole=2, low="a5", low_at_most=8, odd="each", chip=100),
    "turlock-pineapple-high-low-split": Sheet(low="a5", low_at_most=8, odd="each", chip=100, least_high=True),
    "village-holdem": Sheet(odd="each", chip=100),
    "village-omaha": Sheet(hole=2, odd="each", chip=100),
    "village-omaha-hi-lo": Sheet(hole=2, low="a5", low_at_most=8, odd="each", chip=100),
    "village-pineapple-hi-lo": Sheet(low="a5", low_at_most=8, odd="each", chip=100),
    "bankers-seven-card-stud": Sheet(odd="highest", posts_bring_in=True),
    "calgrand-seven-card-stud": Sheet(odd="highest"),
    "bankers-razz": Sheet(high="", low="a5", odd="lowest", posts_bring_in=True),
    "turlock-lowball": Sheet(high="", low="a5", odd="each", chip=100),
    "village-badugi-triple-draw": Sheet(high="", low="badugi", odd="each", chip=100),
}


def settle(played: Played) -> Settled:
    sheet = SHEETS[played.sheet]
    put_in, folded = _chips(played)
    order = clockwise(played.seats, played.button or 0)
    left = [seat for seat in order if seat not in folded]
    back = _uncalled(put_in, left)
    for seat, cents in back.items():
        put_in[seat] -= cents
    won = dict.fromkeys(played.seats, 0)
    gave_up = _given_up(played, sheet, left) if len(left) > 1 else set()
    for cents, seats in _pots(put_in, left):
        for seat, share in _divide(played, sheet, cents, [seat for seat in order if seat in seats], gave_up).items():
            won[seat] += share
    return Settled(seats={seat: won[seat] - put_in[seat] for seat in played.seats})


# Chips


def _chips(played: Played) -> tuple[dict[int, int], set[int]]:
    """What each seat has put in, and who has folded."""
    stacks = {int(seat): cents for seat, cents in (played.table.get("stacks") or {}).items()}
    put_in = dict.fromkeys(played.seats, 0)
    in_front = dict.fromkeys(played.seats, 0)
    folded: set[int] = set()

    def put(seat: int, cents: int) -> None:
        room = stacks.get(seat, 10**12) - put_in[seat]
        put_in[seat] += min(cents, room)

    for seat, cents in played.table.get("antes", {}).items():
        put(int(seat), cents)
    before = dict(put_in)
    for seat, cents in played.table.get("blinds", {}).items():
        put(int(seat), cents)
    if SHEETS[played.sheet].posts_bring_in:
        put(
            _bring_in_seat(played, [seat for seat in played.seats if put_in[seat] < stacks[seat]]),
            played.table["structure"]["forced"],
        )
    for seat in played.seats:
        in_front[seat] = put_in[seat] - before[seat]
    for is_new_round, act in _betting(played):
        if is_new_round:
            in_front = dict.fromkeys(played.seats, 0)
        if act.do == "fold":
            folded.add(act.seat)
        elif act.do in ("call", "bet", "raise", "complete", "bring_in"):
            to = max(in_front.values()) if act.to is None else act.to
            had = put_in[act.seat]
            put(act.seat, to - in_front[act.seat])
            in_front[act.seat] += put_in[act.seat] - had
        elif act.do != "check":
            raise Unexpected(f"no act of betting: {act}")
    return put_in, folded


def _bring_in_seat(played: Played, able: list[int]) -> int:
    """The lowest card in sight, clubs lowest, posts it; in Razz the highest, an ace being low."""
    razz = not SHEETS[played.sheet].high
    rank = low_value if razz else value

    def door(seat: int) -> tuple[int, int]:
        card = _cards(played, seat)[0][2]
        return rank(card), "cdhs".index(card[1])

    seats = able or list(played.seats)
    return max(seats, key=door) if razz else min(seats, key=door)


NOT_BETTING = ("discard", "stand_pat", "show", "muck", "declare_board")


def _betting(played: Played) -> Iterator[tuple[bool, Act]]:
    """The acts of betting, each with whether a new round begins with it: cards came since the last one."""
    cards, drawn = None, False
    for act in played.acts:
        if act.by == "floor" or act.do in NOT_BETTING or act.do.startswith("draw_"):
            drawn = drawn or cards is not None
            continue
        yield cards is not None and (drawn or act.cards_out != cards), act
        cards, drawn = act.cards_out, False


def _uncalled(put_in: dict[int, int], left: list[int]) -> dict[int, int]:
    """What one live seat has put in above everybody else."""
    top = max(left, key=lambda seat: put_in[seat])
    others = max((cents for seat, cents in put_in.items() if seat != top), default=0)
    return {top: put_in[top] - others} if put_in[top] > others else {}


def _pots(put_in: dict[int, int], left: list[int]) -> list[tuple[int, list[int]]]:
    """Main pot first. A pot holds, from every seat, what lies between two totals of the live seats; what a folded seat
    has above the highest of them is in the last."""
    levels = sorted({put_in[seat] for seat in left})
    pots, below = [], 0
    for level in levels:
        top = max(put_in.values()) if level == levels[-1] else level
        cents = sum(min(cents, top) - min(cents, below) for cents in put_in.values())
        pots.append((cents, [seat for seat in left if put_in[seat] >= level]))
        below = level
    return pots


# Hands


def _given_up(played: Played, sheet: Sheet, left: list[int]) -> set[int]:
    """Who showed nothing, or played the board without declaring it."""
    if not sheet.declares:
        return set()
    gave_up: set[int] = set()
    for act in played.acts:
        if act.by == "floor" and act.do == "resume":
            # Nobody claimed a pot: all show again.
            gave_up.clear()
        if act.do == "muck" and act.seat in left:
            gave_up.add(act.seat)
        if act.do == "show" and act.seat in left and sheet.hole is None:
            hole, board = _cards(played, act.seat)
            if _plays_board(hole, board):
                gave_up.add(act.seat)
    return gave_up


def _plays_board(hole: list[str], board: list[str]) -> bool:
    """The board is as good as the best hand, and no hand of that value has a hole card in it."""
    best = best_five(hole + board)
    if five(board) != best:
        return False
    return not any(
        five([*own, *rest]) == best
        for count in (1, 2)
        for own in combinations(hole, count)
        for rest in combinations(board, 5 - count)
    )


def _cards(played: Played, seat: int) -> tuple[list[str], list[str]]:
    hands = played.engine["hands"]
    shared = hands.get("board") or hands.get("community") or []
    return list(hands[str(seat)]), list(shared)


def _five_of(played: Played, sheet: Sheet, seat: int) -> list[tuple[str, ...]]:
    """Every five cards that the seat may play."""
    hole, board = _cards(played, seat)
    if sheet.hole is None:
        return list(combinations(hole + board, 5))
    return [(*own, *rest) for own in combinations(hole, sheet.hole) for rest in combinations(board, 5 - sheet.hole)]


def low_value(card: str) -> int:
    return 1 if card[0] == "A" else value(card)


def ace_to_five(cards: tuple[str, ...]) -> Key:
    """The lower the better, so turned round: first what is paired, then the cards from the highest down."""
    values = [low_value(card) for card in cards]
    groups = sorted(((values.count(v), v) for v in set(values)), reverse=True)
    shape = tuple(count for count, _ in groups)
    worst_first = [(1, 1, 1, 1, 1), (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), (3, 2), (4, 1)].index(shape)
    return (-worst_first, *(-v for _, v in groups))


def badugi(cards: list[str]) -> Key:
    """The most cards of different ranks and suits, then the lowest."""
    best: Key = ()
    for count in range(1, 5):
        for chosen in combinations(cards, count):
            if len({card[0] for card in chosen}) == count and len({card[1] for card in chosen}) == count:
                best = max(best, (count, *sorted(-low_value(card) for card in chosen)))
    return best


def _low(played: Played, sheet: Sheet, seat: int) -> Key | None:
    if sheet.low == "badugi":
        return badugi(_cards(played, seat)[0])
    best = max(ace_to_five(chosen) for chosen in _five_of(played, sheet, seat))
    if sheet.low_at_most is not None and (best[0] != 0 or -best[1] > sheet.low_at_most):
        return None
    return best


# The pot


def _divide(played: Played, sheet: Sheet, cents: int, seats: list[int], gave_up: set[int]) -> dict[int, int]:
    if len(seats) == 1:
        return {seats[0]: cents}
    claims = _in_order_of_odd_chips(played, sheet, [seat for seat in seats if seat not in gave_up])
    if not claims:
        raise Unexpected("nobody claims this pot")
    high: list[int] = []
    low: list[int] = []
    if sheet.high:
        ranks = {seat: max(five(chosen) for chosen in _five_of(played, sheet, seat)) for seat in claims}
        high = [seat for seat in claims if ranks[seat] == max(ranks.values())]
    if sheet.low:
        lows = {seat: found for seat in claims if (found := _low(played, sheet, seat)) is not None}
        low = [seat for seat in claims if seat in lows and lows[seat] == max(lows.values())]
    if sheet.high and low and sheet.least_high and ranks[high[0]][0] == 0:
        high = []
    if high and low:
        # The odd chip of the division is the high hand's.
        lower = cents // sheet.chip // 2 * sheet.chip
        shares = _share(sheet, cents - lower, high)
        for seat, share in _share(sheet, lower, low).items():
            shares[seat] = shares.get(seat, 0) + share
        return shares
    return _share(sheet, cents, high or low)


def _share(sheet: Sheet, cents: int, winners: list[int]) -> dict[int, int]:
    """Equal parts in whole chips. Odd chips go to the first winner, or one to each from the first on; what is less
    than a chip is the first winner's."""
    shares = {seat: cents // sheet.chip // len(winners) * sheet.chip for seat in winners}
    odd = cents // sheet.chip % len(winners)
    for at in range(odd):
        shares[winners[at if sheet.odd == "each" else 0]] += sheet.chip
    shares[winners[0]] += cents % sheet.chip
    return shares


def _in_order_of_odd_chips(played: Played, sheet: Sheet, seats: list[int]) -> list[int]:
    if sheet.odd not in ("highest", "lowest"):
        return seats
    rank: Callable[[str], int] = value if sheet.odd == "highest" else low_value

    def key(card: str) -> tuple[int, int]:
        return rank(card), "cdhs".index(card[1])

    if sheet.odd == "highest":
        return sorted(seats, key=lambda seat: max(map(key, _cards(played, seat)[0])), reverse=True)
    return sorted(seats, key=lambda seat: min(map(key, _cards(played, seat)[0])))
