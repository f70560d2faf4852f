"""Who banks next: the offer of the player-dealer's position."""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine.bank.rotation import Kind
from controller.engine.expect.want import ELSEWHERE, Elsewhere, Refusal, Want
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankAnswered,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Place,
    StackOut,
    WagerPlaced,
)

RESUME = "resume"
"""The floor's act by which a broken game goes on after a reasonable time."""


class WantBank(Want, tag="bank_offer"):
    """Who banks next: no hand begins before the position is taken, or everybody has declined it."""

    rotation: Kind
    offered: tuple[Place, ...]
    """Who may take it, in the printed order; empty: nobody is eligible, or no seat is recorded (`any_seat`)."""
    declined: tuple[Place, ...] = ()
    holder: Place | None = None
    """Who has had it; null: the table has no player-dealer."""
    hands: int = 0
    """How many hands in a row that was."""
    is_due: bool = True
    """False: the holder may still deal; he may pass the position on."""
    is_broken: bool = False
    """Everybody has declined, and the approval stops the game for that."""
    may_resume: bool = False
    """The floor may resume a broken game after a reasonable time."""
    from_seat_one: bool = False
    """In a new game it is offered from seat 1, in order; else where the house selects."""
    any_seat: bool = False
    """No seats are recorded at this table: any but the holder's may take it."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is BankAnswered:
            return self._judge_answer(body)
        if type(body) is FloorAct and body.do == RESUME and self.is_broken and self.may_resume:
            return None if body.reason.strip() else Refusal("no_reason", "state why and after what time it resumes")
        if type(body) in (WagerPlaced, BankPosted, BetsClosed, CardOut, StackOut, Act, DiceRolled):
            return self.no_hand()
        return ELSEWHERE

    def no_hand(self) -> Refusal:
        """Why no hand begins now."""
        if self.holder is None:
            return Refusal("no_player_dealer", self.prompt())
        return Refusal("offer_due" if self.rotation == "offer" else "third_hand", self.prompt())

    def _judge_answer(self, body: BankAnswered) -> Refusal | None:
        if not self.any_seat:
            for place in body.declined:
                if place not in self.offered:
                    return Refusal("not_offered", f"the position is not offered to {_places((place,))}")
        if body.takes is None:
            return self._judge_declined(body)
        if body.takes in body.declined:
            return Refusal("both", f"{_places((body.takes,))} cannot take the position and decline it")
        if self.any_seat:
            return None if body.takes != self.holder else self._spent(body.takes)
        if body.takes not in self.offered:
            return self._spent(body.takes)
        unasked = [place for place in self.before(body.takes) if place not in (*self.declined, *body.declined)]
        if unasked:
            text = f"offer it to {_places(unasked)} first, or state that they declined"
            return Refusal("out_of_turn", text, {"first": unasked[0]})
        return None

    def before(self, place: Place) -> tuple[Place, ...]:
        """To whom it must be offered before this place."""
        if self.holder is None and not self.from_seat_one:
            return ()
        return self.offered[: self.offered.index(place)]

    def _judge_declined(self, body: BankAnswered) -> Refusal | None:
        if not self.is_due:
            return Refusal("not_due", "the player-dealer may deal on; name who takes over")
        if not (body.declined or self.may_be_nobody):
            return Refusal("nobody_left", f"nobody is left to ask; {self.prompt()}")
        return None

    @property
    def may_be_nobody(self) -> bool:
        """Whether "nobody takes it" changes anything now."""
        if self.unasked:
            return True
        return not self.is_broken and (self.any_seat or (self.rotation != "limit" and self.holder is not None))

    def _spent(self, place: Place) -> Refusal:
        """Why somebody who is not among those offered cannot take the position."""
        if place == self.holder:
            why = "third_hand" if self.rotation != "offer" else "offer_due"
            return Refusal(why, f"{_places((place,))} had {_hands(self.hands)} in a row: somebody else must bank first")
        return Refusal("not_eligible", f"{_places((place,))} may not bank the next hand")

    @property
    def unasked(self) -> tuple[Place, ...]:
        """Who has not answered yet, in order."""
        return tuple(place for place in self.offered if place not in self.declined)

    def prompt(self) -> str:
        if self.is_broken:
            how = ", or the floor resumes it after a reasonable time" if self.may_resume else ""
            return f"The game is broken: nobody else takes the player-dealer's position. Another person must bank{how}"
        if self.holder is None:
            return f"Who banks? Offer the player-dealer's position to {_places(self.offered) or 'the players'}"
        had = f"{_places((self.holder,))} has dealt {_hands(self.hands)}"
        if self.unasked or self.any_seat:
            return f"Who banks next? {had.capitalize()}: offer it to {_places(self.unasked) or 'the players'}"
        if self.offered and self.rotation != "offer":
            return f"Nobody takes the bank: {had}, another person must bank ({_places(self.offered)})"
        return f"Nobody else may take the bank: {had}"


def _places(places: Iterable[Place]) -> str:
    """Seats for people.

    >>> _places((1, 2)), _places(("3.2",)), _places(())
    ('seats 1, 2', 'seat 3.2', '')
    """
    named = ", ".join(str(place) for place in places)
    return "" if not named else f"seats {named}" if "," in named else f"seat {named}"


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count} hands"
