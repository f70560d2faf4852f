"""Events of the procedures beside the rounds, in words for people."""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.amounts import money
from controller.evidence.names import person, place


def procedure_line(event: object) -> str | None:
    """The sentence of such an event; None where it is none.

    >>> procedure_line(ev.PlayerAway(3, 30))
    'Seat 3 is away from the table; the seat is kept for 30 minutes'
    """
    match event:
        case ev.BurnDue():
            cards = "1 card is" if event.cards == 1 else f"{event.cards} cards are"
            return f"{cards} to be burned before the next hand: {event.why.replace('_', ' ')}"
        case ev.DeadSpread(state="shuffling"):
            return "Dead spread: the game has broken down; the cards are shuffled and loaded"
        case ev.DeadSpread(state="spread"):
            return "Dead spread: the burned cards stay on the table until the game goes on"
        case ev.DeadSpread():
            return "The dead spread is over: the game goes on"
        case ev.DealerRelieved():
            return f"Another dealer takes over ({person(event.by)})"
        case ev.ShufflerFailed(follows="dealer_shuffles"):
            return "The shuffling machine does not work: the dealer shuffles the cards"
        case ev.ShufflerFailed():
            return "The shuffling machine does not work: the cards are shuffled again before another hand"
        case ev.DeckCut():
            return "The deck is cut" + ("" if event.count is None else f", {event.count} cards from the top")
        case ev.PlayerAway():
            return f"{place(event.seat)} is away from the table; the seat is kept for {event.minutes} minutes"
        case ev.PlayerBack():
            return f"{place(event.seat)} is back after {event.minutes} minutes"
        case ev.AwayTimeOver():
            return f"{place(event.seat)} is away for more than {event.minutes} minutes: the floor may take the seat"
        case ev.SeatForfeited():
            reason = f": {event.reason}" if event.reason else ""
            return f"{place(event.seat)} is forfeited after {event.minutes} minutes, by {person(event.by)}{reason}"
        case ev.HandsAllowed(hands=None):
            return f"{place(event.seat)} may play more hands, approved by {person(event.by)} and the player-dealer"
        case ev.HandsAllowed():
            given_up = f"; gives up {', '.join(map(place, event.given_up))}" if event.given_up else ""
            return f"{place(event.seat)} may play {event.hands} hands, decided by {person(event.by)}{given_up}"
        case ev.BoughtIn():
            how = "re-buys short for" if event.how == "short" else "buys in for"
            return f"{place(event.seat)} {how} {money(event.cents)}: {money(event.stack)} in front"
    return None
