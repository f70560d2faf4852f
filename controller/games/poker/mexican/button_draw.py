"""The opening of a game: one card to each player, the highest by rank, then suit, takes the button.

The cards go back and the deck is shuffled again before anything is posted.

Sheets: bankers-mexican-stud-poker (1699, A14), bankers-mexican-poker-salinas (000:21, A6), turlock-mexican-poker
(3794-3796).
"""

from __future__ import annotations

from controller.engine.cards.card import Card
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand


def draw_for_button(hand: PokerHand) -> Move[None]:
    """One card up to each seat in seat order; whose is highest has the button from now on."""
    t = hand.t
    drawn: dict[int, Card] = {}
    for seat in sorted(hand.seats):
        slot = yield from t.deal(t.hand(str(seat)), says=f"Seat {seat}: one card up for the button")
        drawn[seat] = slot.card
    for seat in drawn:
        owner = t.hand(str(seat))
        hand.take_back(owner.owner, "stub", owner.slots)
        owner.slots.clear()
    t.put_back(drawn.values())
    hand.take_button(max(drawn, key=lambda seat: _height(drawn[seat])))
    hand.facts.button_draw = {seat: card.code for seat, card in drawn.items()}
    hand.facts.button = hand.button
    hand.facts.first_card_to_seat = hand.seats[0]
    t.result.flags["cards_returned_to_deck"] = True


def _height(card: Card) -> tuple[int, int]:
    """Spades over hearts, diamonds and clubs; a joker is an ace without a suit."""
    return (14 if card.is_joker else card.rank), card.suit
