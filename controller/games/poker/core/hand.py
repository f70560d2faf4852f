"""One hand of poker as it goes: seats, chips, board, and what the rulings have changed.

The script and the rulings of a game share this value: the script deals and asks, a ruling in between moves cards and
leaves a note for the script (this street without a burn, these cards back into the stub first). The kernel passes only
the table to a ruling, which finds the hand by `hand_of(t)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound, BettingRules, Structure
from controller.engine.cards.card import Audience, Hand, Slot, codes_if_read
from controller.engine.money.pots import Purse, SidePot, uncalled
from controller.engine.native import mypyc_attr
from controller.engine.round.felt import Move, Table, Unruled
from controller.games.poker.core.facts import facts_of
from controller.games.poker.core.options import PokerOptions, exact
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import Kill, PokerSettings

UNNAMED: Final = BetRound("", first=True)
"""The first betting round until its street is known."""


@mypyc_attr(allow_interpreted_subclasses=True)
class PokerHand:
    """Cards, chips and who is in, from the first blind to the last pot."""

    board_name: ClassVar[str] = "board"
    """Whose cards play in every hand: the board, in stud the community card."""
    first_card_up: ClassVar[bool] = False
    notes_turns: ClassVar[bool] = False
    """Whether the family keeps a note of every turn (`asked`, `acted`)."""

    def __init__(self, t: Table, options: PokerOptions, settings: PokerSettings, rankings: Rankings) -> None:
        self.t, self.options, self.settings, self.rankings = t, options, settings, rankings
        self.schedule = options.schedule
        """What the house takes; None: no fees are reported."""
        self.button = t.button or 0
        """0, a game without one: the house dealer's own place, so that the lowest seat is on its left."""
        self.seats = t.clockwise(self.button)
        """Seats dealt in, from the left of the button: the order of the deal."""
        self.purse = Purse(sorted(t.seats), settings.stacks)
        self.kill: Kill | None = settings.kill
        stakes = options.stakes(settings.structure if self.kill is None else self.killed_structure(self.kill))
        self.rules: BettingRules = stakes.rules
        self.board: Hand = t.hand(self.board_name)
        self._holes: dict[int, Hand] = {}
        self.phase = "post"
        """post, deal, then the name of the street that is bet on, showdown."""
        self.turning = ""
        """The street whose burn was taken last."""
        self.acts = 0
        """Decisions on this street so far."""
        self.rounds_bet = 0
        """Betting rounds that are over."""
        self.exposed: list[tuple[Hand, Slot]] = []
        """Hole cards that the dealer exposed, to be replaced when the deal is complete."""
        self.early: set[str] = set()
        """Streets that were turned too early and stay."""
        self.reopened = False
        """The betting before a street has begun anew: the street waits (001:589)."""
        self.back_to_stub: dict[str, list[Slot]] = {}
        """Cards that go back into the stub before a street, which then comes without a burn."""
        self.first_round = UNNAMED
        self.button_bought_by: int | None = None
        """Who bought the button has it in the next hand (bankers-texas-holdem, 000:96)."""
        self.missed: set[int] = set()
        """Seats that did not discard in time: dead when the next board cards are out."""
        self.facts = facts_of(t)
        self.facts.burns = []
        self.facts.structure_in_force = stakes.document
        self.action: Action
        self.acting_order: Callable[[], list[int]]
        """Of the first betting round, with the current blinds: a kill during the deal changes it."""
        t.contributions = {}
        t.result.flags = {"showdown": False}
        t.result.phase = "post_blinds"
        t.script_state = self

    @property
    def posted_blinds(self) -> dict[int, int]:
        """The blinds of the positions; a kill blind is none of them (BS-9)."""
        settings = self.settings
        if self.kill is None and settings.kill is None:
            return {seat: cents for seat, cents in settings.blinds.items() if cents}
        killers = [kill.seat for kill in (self.kill, settings.kill) if kill is not None]
        return {seat: cents for seat, cents in settings.blinds.items() if cents and seat not in killers}

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
        stakes = self.options.stakes(self.killed_structure(kill))
        self.rules = stakes.rules
        self.action.play_by(self.rules)
        self.action.last_full = self.structure.unit(self.action.round)
        self.facts.structure_in_force = stakes.document

    # Chips

    def paid(self, seat: int) -> None:
        """Note at the table what the seat has put in: a void returns it."""
        contributions, purse = self.t.contributions, self.purse
        assert contributions is not None
        contributions[seat] = purse.live[seat] + purse.dead[seat]

    def bury_missed(self, street: str) -> None:
        """The board cards are out: who still holds too many cards is dead.

        Its chips stay in the pot; what nobody had called of them was never in it (section 5.1).
        """
        for seat, cents in uncalled(self.purse.live, self.purse.folded).items():
            if seat in self.missed:
                self.purse.take_back(seat, cents)
                self.hand_back(seat, cents)
        for seat in self.in_order(self.missed):
            self.die(seat, street)
        self.missed.clear()

    def hand_back(self, seat: int, cents: int) -> None:
        """Chips that have come out of the pot again, to their owner."""
        returned = self.t.result.returned
        returned[seat] = returned.get(seat, 0) + cents
        self.paid(seat)

    def pots(self) -> list[SidePot]:
        """The pots as they are awarded, main pot first."""
        return self.purse.pots()

    def in_order(self, seats: Iterable[int]) -> list[int]:
        """These seats, first the one left of the button."""
        among = set(seats)
        return [seat for seat in self.seats if seat in among]

    @property
    def contenders(self) -> list[int]:
        """Seats that have not folded, from the left of the button."""
        folded = self.purse.folded
        return [seat for seat in self.seats if seat not in folded] if folded else self.seats.copy()

    @property
    def is_contested(self) -> bool:
        """Two or more hands are left."""
        folded, one = self.purse.folded, False
        if not folded:
            return len(self.seats) > 1
        for seat in self.seats:
            if seat not in folded:
                if one:
                    return True
                one = True
        return False

    def take_button(self, seat: int) -> None:
        """The seat has it from now on: it won the draw that opens a game."""
        self.button, self.seats = seat, self.t.clockwise(seat)

    def die(self, seat: int, when: str) -> None:
        """A hand is dead by a rule, not by folding: its chips stay, it is asked no more (`more.dead_hands`)."""
        if seat in self.action.put_in and seat not in self.purse.folded:
            self.action.leave(seat)
        self.purse.folded.add(seat)
        self.facts.dead_hands[seat] = when

    def next_to_act(self) -> int | None:
        """Whose turn it is; None when the betting round is complete."""
        return self.action.next_seat()

    def asked(self, seat: int) -> None:
        """It is this seat's turn."""

    def acted(self, seat: int, do: str) -> None:
        """The seat has decided."""

    def open_betting(self, round: BetRound) -> Action:
        """A betting round after the first: from the first hand left of the button (BS-13, A10)."""
        self.action = Action(self.rules, round, self.purse, self.contenders)
        self.phase, self.acts = round.name, 0
        return self.action

    # Fees

    def open_fees(self, *, flop: bool) -> None:
        """The seats are known: from here on the hand's moments take what the posted schedule has for them."""
        if self.schedule is not None:
            self.t.fees.follow_pot(self.schedule, len(self.seats), flop=flop)

    def reached(self, moment: str) -> None:
        """The hand is at a moment of the schedules (docs/table/fees.md): dealt, flop_dealt, betting_1_closed..."""
        if self.schedule is not None:
            self.t.fees.reached(moment, self.pot_for_fees)

    @property
    def pot_for_fees(self) -> int:
        """What a fee can come out of: once a round is bet, what nobody called is its owner's again."""
        return self.purse.matched if self.rounds_bet else self.purse.pot

    def fees_end(self, *, shown: bool) -> None:
        """The hand is over, at a showdown or before."""
        if self.schedule is not None:
            self.t.fees.ended("showdown" if shown else "ended", self.purse.pot)

    def betting_closed(self) -> None:
        """A betting round is over; it counts as closed with two or more hands live (collections, R8)."""
        self.rounds_bet += 1
        if self.schedule is not None and self.is_contested:
            self.reached(f"betting_{self.rounds_bet}_closed")

    # Rulings

    def rule(self, code: str, seat: int | None = None) -> None:
        """Publish a ruling; nothing where the room has the rule but no code for it."""
        if code:
            self.t.rule(code, seat)

    # Cards

    def hole(self, seat: int) -> Hand:
        found = self._holes.get(seat)
        if found is None:
            found = self._holes[seat] = self.t.hand(str(seat))
        return found

    def burn(self, says: str = "") -> Move[None]:
        yield from self.t.burn(says=says)
        self.note_burns()

    def burn_slot(self, slot: Slot) -> None:
        """A card that left the deck as a burn, without being asked for."""
        slot.audience = Audience.NOBODY
        self.t.burns.append(slot)
        self.t.emit(ev.CardBurned())
        self.note_burns()

    def note_burns(self) -> None:
        self.facts.burns = known(self.t.burns)

    def take_back(self, owner: str, to: str, slots: Sequence[Slot]) -> None:
        self.t.emit(ev.CardsTakenBack(owner, to, tuple(slot.face_if_exposed for slot in slots)))

    def shuffle_back(self, slots: Sequence[Slot], owner: str = "board") -> None:
        """Cards into the stub, which is shuffled and cut: from now on they may come again."""
        read = [slot.card for slot in slots if slot.is_read]
        self.t.put_back(read, unread=len(slots) - len(read))
        self.facts.reshuffled_into_stub += known(slots)
        self.take_back(owner, "stub", slots)


def hand_of(t: Table) -> PokerHand:
    if not isinstance(t.script_state, PokerHand):
        raise Unruled("no hand is being played")
    return t.script_state


known = codes_if_read
"""The codes of these cards, None where one is not read."""
