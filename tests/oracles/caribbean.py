"""Caribbean Stud. Sheets: calgrand-caribbean-stud-poker, village-caribbean-stud."""

from __future__ import annotations

from tests.oracles.hands import FIVE, five
from tests.oracles.played import Acts, Bank, Cards, Played, Settled, clockwise, nothing_left, seat_of
from tests.oracles.three_card import places_of

COUNTS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 10)}
TABLE_1 = {
    "royal_flush": 10,
    "straight_flush": 9,
    "four_of_a_kind": 8,
    "full_house": 7,
    "flush": 6,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair": 1,
    "high_card": 1,
}


def settle(played: Played) -> Settled:
    bet = "bet" if played.sheet.startswith("calgrand") else "call"
    wagers = {place: dict(on_place) for place, on_place in played.wagers.items() if "ante" in on_place}
    cards, acts = Cards(played.cards), Acts(played.acts)
    seats = clockwise({seat_of(place) for place in wagers}, played.player_dealer)
    hands: dict[int, list[str]] = {seat: [] for seat in seats}
    theirs: list[str] = []
    for _ in range(5):
        for seat in seats:
            hands[seat].append(cards.one())
        theirs.append(cards.one())

    # The player-dealer's last card counts out a position: he is one, his left is two; seven others, round again.
    others = [seat % 8 + 1 for seat in range(played.player_dealer, played.player_dealer + 7)]
    pointed = others[(COUNTS[theirs[4][0]] - 1) % 7]

    folded: set[str] = set()
    for seat in seats:
        for place in places_of(wagers, seat):
            if acts.next(place, "call", "fold").do == "fold":
                folded.add(place)
            else:
                wagers[place][bet] = 2 * wagers[place]["ante"]
    nothing_left(cards, acts)

    bank_rank = five(theirs)
    qualified = bank_rank[0] >= 1 or bank_rank[1:3] == (14, 13)
    bank = Bank(played)
    outcome = {}
    for seat in clockwise(seats, pointed - 1):
        for place in places_of(wagers, seat):
            ante = wagers[place]["ante"]
            mine = five(hands[seat])
            if place in folded:
                outcome[place] = "fold"
                bank.settle(place, "ante", -ante)
            elif not qualified:
                outcome[place] = "win"
                bank.settle(place, "ante", ante)
                bank.settle(place, bet, 0)
            elif mine > bank_rank:
                outcome[place] = "win"
                bank.settle(place, "ante", ante)
                bank.settle(place, bet, TABLE_1[FIVE[mine[0]]] * wagers[place][bet])
            elif mine < bank_rank:
                outcome[place] = "lose"
                bank.settle(place, "ante", -ante)
                bank.settle(place, bet, -wagers[place][bet])
            else:
                outcome[place] = "push"
    bank.said.outcome, bank.said.flags = outcome, {"qualified": qualified}
    return bank.said
