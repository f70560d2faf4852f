"""Three Card Poker in six forms, and 3 Card Hold'em.

Sheets: bankers-three-card-poker, bankers-three-card-poker-6-card-bonus, calgrand-three-card-poker,
calgrand-three-card-poker-1-3, turlock-three-card-poker, turlock-three-card-poker-6-card-bonus,
turlock-three-card-holdem.
"""

from __future__ import annotations

from itertools import combinations

from tests.oracles.hands import FIVE, THREE, Ranked, best_five, three, value
from tests.oracles.played import Acts, Bank, Cards, Played, Settled, Wagers, clockwise, nothing_left, seat_of, spot_of

COUNTS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 10)}
PAIR_PLUS = {
    "royal_flush": 200,
    "straight_flush": 40,
    "three_of_a_kind": 30,
    "straight": 6,
    "flush": 3,
    "pair": 1,
}
"""The bonus on one's own three cards: the same in every room."""
SIX_CARD_BANKERS = {
    "royal_flush": 1000,
    "straight_flush": 200,
    "four_of_a_kind": 100,
    "full_house": 20,
    "flush": 15,
    "straight": 9,
    "three_of_a_kind": 8,
}
SIX_CARD_TURLOCK = SIX_CARD_BANKERS | {"straight": 10}

Line = tuple[str, str, int, bool]
"""Place, wager, what is due, and whether a fold forfeited it."""


def settle(played: Played) -> Settled:
    return _holdem(played) if played.sheet == "turlock-three-card-holdem" else _three_card(played)


def dealt_in(played: Played, bonuses: dict[str, str]) -> Wagers:
    """Who has an ante, with the bonus bets that fit it; behind a seat only if the seat has one."""
    kept: Wagers = {}
    for place, wagers in played.wagers.items():
        if "ante" not in wagers or "ante" not in played.wagers.get(str(seat_of(place)), {}):
            continue
        kept[place] = {"ante": wagers["ante"]}
        for bonus, limit in bonuses.items():
            stake = wagers.get(bonus)
            fits = {"any": True, "equal": stake == wagers["ante"], "up_to": (stake or 0) <= wagers["ante"]}
            if stake is not None and fits[limit]:
                kept[place][bonus] = stake
    return kept


def places_of(wagers: Wagers, seat: int) -> list[str]:
    return sorted((place for place in wagers if seat_of(place) == seat), key=spot_of)


def _three_card(played: Played) -> Settled:
    room = played.sheet.split("-")[0]
    six = "6-card" in played.sheet
    bonuses = {"pair_plus": "any", "six_card_bonus": "any"} if six else {"bonus": "any"}
    if played.sheet == "bankers-three-card-poker":
        bonuses = {"bonus": "equal"}
    if room == "calgrand":
        bonuses = {"bonus": "up_to"}
    wagers = dealt_in(played, bonuses)
    cards, acts = Cards(played.cards), Acts(played.acts)

    # Deal and decisions from the player-dealer's left; at California Grand from the house dealer's.
    seats = clockwise({seat_of(place) for place in wagers}, 0 if room == "calgrand" else played.player_dealer)
    hands = {seat: cards.take(3) for seat in seats}
    theirs = cards.take(3)
    folded = set()
    for seat in seats:
        for place in places_of(wagers, seat):
            if acts.next(place, "play", "fold").do == "fold":
                folded.add(place)
    nothing_left(cards, acts)

    bank_rank = three(theirs)
    qualified = bank_rank[0] > 0 or bank_rank[1] >= value("Q")
    ranks = {seat: three(hand) for seat, hand in hands.items()}
    outcome = {}
    for place in wagers:
        mine = ranks[seat_of(place)]
        won = "win" if mine > bank_rank else "lose" if mine < bank_rank else "push"
        outcome[place] = "fold" if place in folded else _ante(played, won, qualified=qualified)

    lines: list[Line] = []
    for place in _settling_order(played, wagers, seats, theirs):
        hand = hands[seat_of(place)]
        lines += _lines(played, place, wagers[place], outcome[place], hand, theirs, qualified=qualified)

    bank = Bank(played)
    if six or room == "turlock":
        lines = [line for line in lines if line[3]] + [line for line in lines if not line[3]]
    if played.sheet == "turlock-three-card-poker":
        # First all losing wagers, then the winners with the whole of the player-dealer's wager again.
        for place, wager, due, _ in lines:
            if due < 0:
                bank.settle(place, wager, due)
        bank.fresh()
        lines = [line for line in lines if line[2] >= 0]
    for place, wager, due, _ in lines:
        bank.settle(place, wager, due)
    bank.said.outcome, bank.said.flags = outcome, {"qualified": qualified}
    return bank.said


def _ante(played: Played, won: str, *, qualified: bool) -> str:
    if qualified:
        return won
    match played.sheet:
        case "bankers-three-card-poker" | "turlock-three-card-poker":
            return "win" if won == "win" else "lose"
        case "calgrand-three-card-poker-1-3":
            return won
    return "win"


def _lines(  # noqa: PLR0917 - one place of the table
    played: Played,
    place: str,
    wagers: dict[str, int],
    outcome: str,
    hand: list[str],
    theirs: list[str],
    *,
    qualified: bool,
) -> list[Line]:
    ante, has_folded = wagers["ante"], outcome == "fold"
    due = {"win": ante, "push": 0, "lose": -ante, "fold": -ante}[outcome]
    lines: list[Line] = [(place, "ante", due, has_folded)]
    if not has_folded:
        lines.append((place, "play", due if qualified else 0, False))
    for bonus in ("bonus", "pair_plus"):
        if bonus not in wagers:
            continue
        pays = PAIR_PLUS.get(THREE[three(hand)[0]])
        lost = has_folded or pays is None
        lines.append((place, bonus, -wagers[bonus] if lost else (pays or 0) * wagers[bonus], has_folded))
    if "six_card_bonus" in wagers:
        table = SIX_CARD_BANKERS
        if played.sheet.startswith("turlock"):
            table = SIX_CARD_TURLOCK | {"three_of_a_kind": played.options["six_card_three_of_a_kind"]}
        pays = table.get(FIVE[best_five(hand + theirs)[0]])
        stake = wagers["six_card_bonus"]
        lines.append((place, "six_card_bonus", -stake if pays is None else pays * stake, False))
    return lines


def _settling_order(played: Played, wagers: Wagers, seats: list[int], theirs: list[str]) -> list[str]:
    if played.sheet != "turlock-three-card-poker-6-card-bonus":
        return [place for seat in seats for place in places_of(wagers, seat)]
    # The action button: the up card counts out one of the seven seats that are not the player-dealer's.
    others = [seat for seat in range(1, 9) if seat != played.player_dealer]
    pointed = others[(COUNTS[theirs[2][0]] - 1) % 7]
    order = clockwise(seats, pointed - 1)
    return sorted(wagers, key=lambda place: (spot_of(place), order.index(seat_of(place))))


# 3 Card Hold'em


PAIR_OR_SUITED = {"ak_suited": 30, "aa": 20, "kk": 10, "pair": 4, "two_suited": 1}
STRAIGHT_OR_UP = {
    "akq_suited_plus_pair": 100,
    "akq_suited": 40,
    "straight_flush": 10,
    "three_of_a_kind": 9,
    "straight": 1,
}


def _best_three(cards: list[str]) -> Ranked:
    return max(three(chosen, royal=False) for chosen in combinations(cards, 3))


def _straight_or_up(cards: list[str]) -> int | None:
    for suit in "shdc":
        royal = [rank + suit for rank in "AKQ"]
        if all(card in cards for card in royal):
            one, other = (card for card in cards if card not in royal)
            return STRAIGHT_OR_UP["akq_suited_plus_pair" if one[0] == other[0] else "akq_suited"]
    return STRAIGHT_OR_UP.get(THREE[_best_three(cards)[0]])


def _pair_or_suited(hole: list[str]) -> int | None:
    ranks, suited = sorted(card[0] for card in hole), hole[0][1] == hole[1][1]
    if ranks[0] == ranks[1]:
        return PAIR_OR_SUITED[{"A": "aa", "K": "kk"}.get(ranks[0], "pair")]
    if not suited:
        return None
    return PAIR_OR_SUITED["ak_suited" if ranks == ["A", "K"] else "two_suited"]


def _holdem(played: Played) -> Settled:
    wagers = {
        place: dict(on_place)
        for place, on_place in played.wagers.items()
        if "ante" in played.wagers.get(str(seat_of(place)), {})
    }
    cards, acts = Cards(played.cards), Acts(played.acts)
    seats = sorted({seat_of(place) for place in wagers})
    hands: dict[int, list[str]] = {seat: [] for seat in seats}
    theirs: list[str] = []
    if played.options.get("deal_device") == "shuffler":
        for seat in seats:
            hands[seat] = cards.take(2)
        theirs = cards.take(2)
    else:
        for _ in range(2):
            for seat in seats:
                hands[seat].append(cards.one())
            theirs.append(cards.one())
    board = cards.take(1)
    cards.take(1)
    board += cards.take(2)

    folded = set()
    for seat in seats:
        place = str(seat)
        if acts.next(place, "bet", "fold").do == "fold":
            folded.add(place)
        else:
            wagers[place]["bet_or_fold"] = wagers[place]["ante"]
    for seat in seats:
        place = str(seat)
        if place not in folded and acts.next(place, "bet", "check").do == "bet":
            wagers[place]["bet_or_check"] = wagers[place]["ante"]
    nothing_left(cards, acts)

    bank_rank = _best_three(theirs + board)
    qualified = bank_rank[0] > 1 or (bank_rank[0] == 1 and bank_rank[1] >= 4)
    outcome = {}
    due: list[Line] = []
    for place, on_place in wagers.items():
        hole = hands[seat_of(place)]
        mine = _best_three(hole + board)
        won = "win" if mine > bank_rank else "lose" if mine < bank_rank else "push"
        if place in folded:
            won = "fold"
        if spot_of(place) == 1:
            outcome[place] = won
        for wager in ("ante", "bet_or_fold", "bet_or_check"):
            stake = on_place.get(wager)
            if stake is not None:
                cents = {"win": stake, "push": 0, "lose": -stake, "fold": -stake}[won]
                if wager == "ante" and won == "win" and not qualified:
                    cents = 0
                due.append((place, wager, cents, won == "fold"))
        for wager, pays in (
            ("straight_or_up", _straight_or_up(hole + board)),
            ("pair_or_suited", _pair_or_suited(hole)),
        ):
            stake = on_place.get(wager)
            if stake is not None:
                due.append((place, wager, -stake if pays is None else pays * stake, False))

    # From seat 1 while the wager covers everything that moves, else from the action button.
    order = seats
    if played.bank is not None and sum(abs(cents) for _, _, cents, _ in due) > sum(played.bank):
        card = board[2] if played.options.get("button_card") == "communal_3" else board[0]
        pointed = (played.player_dealer + COUNTS[card[0]] % 7 - 1) % 7 + 1
        order = clockwise(seats, pointed - 1)
    bank = Bank(played)
    for place, wager, cents, forfeited in sorted(due, key=lambda line: seat_of(line[0])):
        if forfeited:
            bank.settle(place, wager, cents)
    rest = [line for line in due if not line[3]]
    for place, wager, cents, _ in sorted(rest, key=lambda line: (spot_of(line[0]), order.index(seat_of(line[0])))):
        bank.settle(place, wager, cents)
    bank.said.outcome, bank.said.flags = outcome, {"qualified": qualified}
    return bank.said
