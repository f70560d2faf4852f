"""One hand of poker as it goes: seats, chips, board, and what the rulings have changed.

The script and the rulings of a game share this value: the script deals and asks, a ruling that comes in between moves
cards and leaves a note for the script (this street without a burn, these cards back into the stub first). The kernel
gives rulings the table only, so the hand hangs on it: `hand_of(t)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from controller.engine import events as ev
from controller.engine.betting import Action, BetRound, BettingRules, Structure
from controller.engine.cards import Audience, Hand, Slot
from controller.engine.felt import Move, Table, Unruled
from controller.engine.pots import Purse
from controller.engine.ranking import UseHole
from controller.games.poker.options import PokerOptions, exact
from controller.games.poker.settings import Kill, PokerSettings


class PokerHand:
    """What lies on the felt and who is in, from the first blind to the last pot."""

    def __init__(self, t: Table, options: PokerOptions, settings: PokerSettings, use_hole: UseHole = None) -> None:
        assert t.button is not None
        self.t, self.options, self.settings, self.use_hole = t, options, settings, use_hole
        self.button = t.button
        self.seats = t.clockwise(self.button)
        """Seats dealt in, from the left of the button: the order of the deal."""
        self.purse = Purse(sorted(t.seats), settings.stacks)
        self.kill: Kill | None = settings.kill
        self.rules: BettingRules = options.betting(self.killed_structure(self.kill))
        self.board: Hand = t.hand("board")
        self.phase = "post"
        """post, deal, then the name of the street that is bet on, showdown."""
        self.turning = ""
        """The street whose burn was taken last."""
        self.acts = 0
        """Decisions on this street so far."""
        self.exposed: list[tuple[Hand, Slot]] = []
        """Hole cards that the dealer exposed, to be replaced when the deal is complete."""
        self.early: set[str] = set()
        """Streets that were turned too early and stay."""
        self.back_to_stub: dict[str, list[Slot]] = {}
        """Cards that go back into the stub before a street, which then comes without a burn."""
        self.facts = t.result.more
        self.facts["burns"] = []
        self.facts["structure_in_force"] = msgspec.to_builtins(self.structure)
        self.action: Action
        t.contributions = {}
        t.result.flags = {"showdown": False}
        t.script_state = self

    @property
    def structure(self) -> Structure:
        """The stakes of this hand, killed or not."""
        return self.rules.structure

    def killed_structure(self, kill: Kill | None) -> Structure:
        base = self.settings.structure
        return base if kill is None else base.killed(exact(kill.factor or self.options.kill_factor))

    def play_for(self, kill: Kill | None) -> None:
        """Change the stakes before the deal."""
        self.kill = kill
        self.rules = self.options.betting(self.killed_structure(kill))
        self.action.rules = self.rules
        self.action.last_full = self.structure.unit(self.action.round)
        self.facts["structure_in_force"] = msgspec.to_builtins(self.structure)

    # Chips

    def paid(self, seat: int) -> None:
        """Tell the table what the seat has put in: that is what a void returns."""
        assert self.t.contributions is not None
        self.t.contributions[seat] = self.purse.total(seat)

    def in_order(self, seats: Iterable[int]) -> list[int]:
        """These seats, first the one left of the button."""
        among = set(seats)
        return [seat for seat in self.seats if seat in among]

    @property
    def contenders(self) -> list[int]:
        """Seats that have not folded, from the left of the button."""
        folded = self.purse.folded
        return [seat for seat in self.seats if seat not in folded]

    def open_betting(self, round: BetRound) -> Action:
        """A betting round after the first: from the first hand left of the button (BS-13, A10)."""
        self.action = Action(self.rules, round, self.purse, self.contenders)
        self.phase, self.acts = round.name, 0
        return self.action

    # Cards

    def hole(self, seat: int) -> Hand:
        return self.t.hand(str(seat))

    def burn(self) -> Move[None]:
        yield from self.t.burn()
        self.note_burns()

    def burn_slot(self, slot: Slot) -> None:
        """A card that left the deck as a burn, without being asked for."""
        slot.audience = Audience.NOBODY
        self.t.burns.append(slot)
        self.t.emit(ev.CardBurned())
        self.note_burns()

    def note_burns(self) -> None:
        self.facts["burns"] = known(self.t.burns)

    def take_back(self, owner: str, to: str, slots: Sequence[Slot]) -> None:
        self.t.emit(ev.CardsTakenBack(owner, to, tuple(slot.face_if_exposed for slot in slots)))

    def shuffle_back(self, slots: Sequence[Slot]) -> None:
        """Cards into the stub, which is shuffled and cut: from now on they may come again."""
        self.t.put_back(slot.card for slot in slots if slot.is_read)
        self.facts.setdefault("reshuffled_into_stub", []).extend(known(slots))
        self.take_back("board", "stub", slots)


def hand_of(t: Table) -> PokerHand:
    if not isinstance(t.script_state, PokerHand):
        raise Unruled("no hand is being played")
    return t.script_state


def known(slots: Iterable[Slot]) -> list[str | None]:
    """Codes for the engine's own document; a card that was never read is null."""
    return [slot.card.code if slot.is_read else None for slot in slots]
