"""Ultimate Texas Hold'em. Sheets: turlock-ultimate-texas-holdem, bankers-ultimate-texas-holdem."""

from __future__ import annotations

from tests.oracles.hands import FIVE, best_five, five
from tests.oracles.played import Acts, Bank, Cards, Played, Settled, clockwise, nothing_left, seat_of, spot_of, times
from tests.oracles.three_card import places_of

BLIND = {
    "royal_flush": "500:1",
    "straight_flush": "50:1",
    "four_of_a_kind": "10:1",
    "full_house": "3:1",
    "flush": "3:2",
    "straight": "1:1",
}
TRIPS = {
    "bankers": {
        "royal_flush": 50,
        "straight_flush": 40,
        "four_of_a_kind": 30,
        "full_house": 8,
        "flush": 6,
        "straight": 5,
        "three_of_a_kind": 3,
    },
    "turlock": {
        "royal_flush": 50,
        "straight_flush": 40,
        "four_of_a_kind": 20,
        "full_house": 7,
        "flush": 6,
        "straight": 5,
        "three_of_a_kind": 3,
    },
}
MULTIPLES = {"bet1x": 1, "bet2x": 2, "bet3x": 3, "bet4x": 4}


def _in_action(played: Played) -> dict[str, dict[str, int]]:
    def is_in(place: str) -> bool:
        wagers = played.wagers.get(place, {})
        return "ante" in wagers and wagers.get("blind") == wagers["ante"]

    return {p: dict(w) for p, w in played.wagers.items() if is_in(p) and is_in(str(seat_of(p)))}


def settle(played: Played) -> Settled:
    room = played.sheet.split("-")[0]
    wagers = _in_action(played)
    cards, acts = Cards(played.cards), Acts(played.acts)
    seats = sorted({seat_of(place) for place in wagers})
    hands: dict[int, list[str]] = {seat: [] for seat in seats}
    theirs: list[str] = []
    if played.options.get("deal_device") == "shoe":
        for _ in range(2):
            for seat in seats:
                hands[seat].append(cards.one())
            theirs.append(cards.one())
    else:
        for seat in seats:
            hands[seat] = cards.take(2)
        theirs = cards.take(2)
    board = cards.take(5)

    folded: set[str] = set()
    for bets in (("check", "bet3x", "bet4x"), ("check", "bet2x"), ("fold", "bet1x")):
        for seat in seats:
            own = str(seat)
            if "play" in wagers[own] or own in folded:
                continue
            does = acts.next(own, *bets).do
            if does == "check":
                continue
            # Bettors behind the seat bet the same multiple, or fold their own; a fold of the seat is theirs too.
            for place in places_of(wagers, seat):
                choice = does
                if place != own and does != "fold":
                    choice = acts.next(place, does, "fold").do
                if choice == "fold":
                    folded.add(place)
                else:
                    wagers[place]["play"] = MULTIPLES[does] * wagers[place]["ante"]
    nothing_left(cards, acts)

    bank_rank = best_five(theirs + board)
    qualified = bank_rank[0] >= 1
    ranks = {seat: best_five(hand + board) for seat, hand in hands.items()}
    outcome = {}
    for place in wagers:
        mine = ranks[seat_of(place)]
        outcome[place] = "win" if mine > bank_rank else "lose" if mine < bank_rank else "push"
        if place in folded:
            outcome[place] = "fold"

    def trips(place: str) -> int | None:
        """What the trips bet gets; None where there is none."""
        stake = wagers[place].get("trips")
        if stake is None:
            return None
        on_fold = played.options.get("trips_on_fold", "full_hand" if room == "bankers" else "board_only")
        rank = five(board) if place in folded and on_fold == "board_only" else ranks[seat_of(place)]
        pays = TRIPS[room].get(FIVE[rank[0]])
        return -stake if pays is None else pays * stake

    bank = Bank(played)

    def settle_trips(place: str) -> None:
        due = trips(place)
        if due is not None:
            bank.settle(place, "trips", due)

    from_first = sorted(wagers, key=lambda place: (spot_of(place), seat_of(place)))
    order = clockwise(seats, played.player_dealer)
    from_bank = sorted(wagers, key=lambda place: (spot_of(place), order.index(seat_of(place))))
    at_fold = room == "turlock"
    for place in from_first:
        if place in folded:
            bank.settle(place, "ante", -wagers[place]["ante"])
            bank.settle(place, "blind", -wagers[place]["blind"])
            if at_fold or (trips(place) or 0) < 0:
                settle_trips(place)
    for place in from_bank:
        if place in folded:
            if not at_fold and (trips(place) or 0) > 0:
                settle_trips(place)
            continue
        ante, blind, play = (wagers[place][wager] for wager in ("ante", "blind", "play"))
        if outcome[place] == "lose":
            bank.settle(place, "play", -play)
            bank.settle(place, "ante", -ante if qualified else 0)
            bank.settle(place, "blind", -blind)
        elif outcome[place] == "win":
            bank.settle(place, "ante", ante if qualified else 0)
            bank.settle(place, "play", play)
            bank.settle(place, "blind", times(blind, BLIND.get(FIVE[ranks[seat_of(place)][0]], "0:1")))
        settle_trips(place)
    bank.said.outcome = outcome
    if len(folded) < len(wagers):
        bank.said.flags = {"qualified": qualified}
    return bank.said
