"""One hand of Panguingue: who is in, what is on each board, whose turn it is, what may be taken.

Script and rulings share it. The kernel passes only the table to rulings, so they get it by `hand_of(t)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Hand, Slot
from controller.engine.cards.melds import LaidMelds, cards_of
from controller.engine.expect.want import Refusal
from controller.engine.round.felt import Table, Unruled
from controller.games.panguingue.facts import PanFacts
from controller.games.panguingue.melds import MOST, follows, value
from controller.games.panguingue.options import DealtPanOptions, PanSettings, counterclockwise
from controller.games.panguingue.settlement import Tray

State = Literal["dealt", "in", "dropped", "dead", "fouled", "broke"]
HAND = 10
"""Cards of a seat in hand and on its board, before it draws."""


class Player:
    """One seat's part of the hand."""

    def __init__(self, seat: int, cards: Hand) -> None:
        self.seat, self.cards = seat, cards
        self.state: State = "dealt"
        self.board: LaidMelds = ()
        self.collected = 0
        """Chips of conditions collected from each active player so far."""
        self.missed = 0
        """Value a borrowing took off the board, where the room does not set it off."""
        self.turns = 0
        """Draws from the block so far: it has touched the deck."""
        self.counted = True
        """Whether its cards are those the reader saw; not so after a wrong count."""

    @property
    def held(self) -> list[Slot]:
        """Its cards that do not lie on the board."""
        left = cards_of(self.board)
        held = []
        for slot in self.cards.slots:
            if slot.is_read and slot.audience is Audience.ALL and left[slot.card.code]:
                left[slot.card.code] -= 1
            else:
                held.append(slot)
        return held


class PanHand:
    """What lies on the felt, from the first top to the last pay."""

    def __init__(self, t: Table, options: DealtPanOptions, settings: PanSettings) -> None:
        self.t, self.options = t, options
        self.order = counterclockwise(t.seats, settings.first_player or settings.deal_from)
        self.players = {seat: Player(seat, t.hand(str(seat))) for seat in self.order}
        self.tray = Tray(t, options.chip, settings.antes, settings.stacks)
        self.refill: set[int] = set()
        """Seats that get five cards from the centre of the deck after the deal."""
        self.phase: Literal["deal", "declare", "draw", "use", "taken", "over"] = "deal"
        self.turn = self.order[0]
        self.drawn: Slot | None = None
        """The card in front of the seat on turn: drawn from the block, or taken. It is the last one of its cards."""
        self.used = False
        self.draws = 0
        self.top: Slot | None = None
        """The top discard, if the next player may take it."""
        self.aside: Slot | None = None
        """Heads-up: the first card, refused by the first player, on which the second has a choice too."""
        self.winner: int | None = None
        self.due_each: list[int] = []
        self.received_each: list[int] = []
        self.facts = t.result.facts = PanFacts(due_each=self.due_each, received_each=self.received_each)
        t.result.sealed_flags["dead"] = []
        t.script_state = self

    # Who is in

    def seats(self, *states: State) -> list[int]:
        return [seat for seat in self.order if self.players[seat].state in states]

    @property
    def live(self) -> list[int]:
        """Seats that still play."""
        return self.seats("in")

    def payers(self, collector: int) -> list[int]:
        """The active players: all who declared in, fouled hands too (PAN-9), as long as they have chips."""
        states: tuple[State, ...] = ("in", "fouled") if self.options.fouled_pays else ("in",)
        return [seat for seat in self.seats(*states) if seat != collector]

    def leave(self, seat: int, state: State) -> None:
        """A seat plays no more; if it was its turn, the next one's begins."""
        after = self.after(seat)
        self.players[seat].state = state
        if self.phase in ("draw", "use", "taken") and self.turn == seat:
            self.top = None
            self.begin_turn(after)
        if self.live and self.phase in ("draw", "use", "taken") and len(self.live) == 1 and self.seats("fouled"):
            self.lay_open(self.live[0])

    def after(self, seat: int) -> int:
        """The following player who still plays: to the right, in falling numbers."""
        start = self.order.index(seat)
        around = self.order[start + 1 :] + self.order[: start + 1]
        return next((other for other in around if other in self.live), seat)

    def take(self, slot: Slot) -> None:
        """The seat on turn takes a discard to use it."""
        self.phase, self.drawn = "taken", slot
        self.t.burns.remove(slot)
        self.players[self.turn].cards.slots.append(slot)
        self.top = self.aside = None

    def throw_back(self) -> None:
        """A card taken and thrown back: not to be taken again, the player must draw (236)."""
        assert self.drawn is not None
        self.players[self.turn].cards.slots.remove(self.drawn)
        self.t.burns.append(self.drawn)
        self.begin_turn(self.turn)

    def begin_turn(self, seat: int) -> None:
        self.turn, self.phase, self.drawn, self.used = seat, "draw", None, False

    def lay_open(self, seat: int) -> None:
        """All hands fouled but one: the last player lays the hand open and draws on (221)."""
        held = self.players[seat].held
        for slot in held:
            if slot.is_read:
                slot.expose()
        if faces := tuple(slot.face for slot in held if slot.is_read):
            self.t.emit(ev.HandShown(str(seat), faces))

    # Cards

    def may_refuse(self) -> bool:
        """The first player's first card; with two in the hand, the first card of both."""
        player = self.players[self.turn]
        first = self.turn == self.order_in[0] or len(self.order_in) == FEWEST
        return self.phase == "use" and not self.used and player.turns == 1 and first

    @property
    def order_in(self) -> list[int]:
        """Those who declared in, in the order of play."""
        return self.seats("in", "fouled", "broke")

    def lay(self, player: Player, board: LaidMelds) -> Refusal | None:
        """Put this board in place of the seat's, if the cards are there and it may lie so."""
        moved = follows(player.board, board, self.options.conditions)
        if moved is not None:
            return Refusal(moved.why, moved.text)
        added = list((cards_of(board) - cards_of(player.board)).elements())
        if any(code not in CARDS for code in added):
            return Refusal("no_such_card", "the board holds something that is no card")
        if len(added) > len(player.held):
            return Refusal("wrong_count", "more cards than the seat holds")
        slots = self._slots(player, added)
        if slots is None:
            return Refusal("not_your_card", "a card of this board is not among the seat's cards")
        problem = self.t.card_problem(code for slot, code in slots.items() if not slot.is_read)
        if problem is not None:
            return problem
        uses = any(slot is self.drawn for slot in slots)
        if not uses and not self.used and not self._may_lay_without():
            return Refusal("card_not_used", "a card that is taken, or drawn here, is used at once")
        for slot, code in slots.items():
            self.name(slot, code)
            slot.expose()
        self.used = self.used or uses
        player.board = board
        if slots:
            self.t.emit(ev.HandShown(str(player.seat), tuple(slot.face for slot in slots)))
        return None

    def name(self, slot: Slot, code: str) -> None:
        """A card that no reader has read is what its player names."""
        if not slot.is_read:
            slot.name(CARDS[code])
            self.t.take_out([code])

    def _may_lay_without(self) -> bool:
        return self.phase == "use" and self.options.meld_without_drawn_card

    def _slots(self, player: Player, added: Iterable[str]) -> dict[Slot, str] | None:
        """Which cards of the seat these are; None where it does not have them. The drawn one is used first."""
        fresh = self.drawn if not self.used else None
        pile = sorted(player.held, key=lambda slot: slot is not fresh)
        found: dict[Slot, str] = {}
        unknown: list[str] = []
        for code in added:
            slot = next((s for s in pile if s not in found and s.is_read and s.card.code == code), None)
            if slot is None:
                unknown.append(code)
            else:
                found[slot] = code
        for code in unknown:
            # Nobody read these cards: the seat that lays them down names them.
            slot = next((s for s in pile if s not in found and (not s.is_read or not player.counted)), None)
            if slot is None:
                return None
            found[slot] = code
        return found

    def discard(self, slot: Slot, *, from_block: bool) -> None:
        """A card to the muck; the next player may take it if it came from the block."""
        self.players[self.turn].cards.slots.remove(slot)
        slot.expose()
        self.t.burns.append(slot)
        self.top = slot if from_block else None
        self.t.emit(ev.CardsTakenBack(str(self.turn), "discards", (slot.face,)))

    # Chips

    def due(self, player: Player, board: LaidMelds) -> int:
        """Chips due from each active player for this board: its value less what was collected (PAN-11)."""
        gained = value(board, self.options.conditions) - player.collected
        if not self.options.set_off_losses:
            gained += player.missed
        return max(0, gained)

    def ask(self, player: Player, asked: int | None, due: int) -> int:
        """Collect what was asked; chips from each."""
        chips = due if asked is None else asked
        self.due_each.append(due)
        self.received_each.append(chips)
        if chips:
            self.tray.collect(player.seat, chips, self.payers(player.seat), "condition")
            player.collected += chips
        self._note_losses(player)
        self._throw_away()
        return chips

    def _note_losses(self, player: Player) -> None:
        worth = value(player.board, self.options.conditions)
        player.missed = max(player.missed, player.collected - worth)

    def _throw_away(self) -> None:
        """Who has no chips left throws the hand away (256)."""
        for seat in self.live:
            if self.tray.in_front(seat) == 0:
                self.t.rule("hand_thrown_away", seat)
                self.leave(seat, "broke")

    def go_out(self, player: Player, asked: int | None, due: int) -> None:
        """The pays of the last card, the whole board again, two chips, and the tops."""
        chips = due if asked is None else asked
        payers = self.payers(player.seat)
        most = self.tray.in_front(player.seat)
        if most is not None and self.options.out_cap == "in_total" and payers:
            most //= len(payers)
        self.due_each.append(due)
        self.received_each.append(chips if most is None else min(chips, max(0, most) // self.options.chip))
        paid = self.tray.collect(player.seat, chips, payers, "out", most)
        each = sorted({cents // self.options.chip for cents in paid.values()})
        whole = {seat: cents // self.options.chip for seat, cents in paid.items()}
        self.facts.paid_each = each[0] if len(each) == 1 else whole
        self.winner, self.phase = player.seat, "over"

    def out_due(self, player: Player, board: LaidMelds) -> int:
        """New pays, everything again as it lies, and the chips for going out."""
        return self.due(player, board) + value(board, self.options.conditions) + self.options.out_chips

    @staticmethod
    def is_out(board: LaidMelds) -> bool:
        return cards_of(board).total() == MOST


FEWEST = 2


def hand_of(t: Table) -> PanHand:
    if not isinstance(t.script_state, PanHand):
        raise Unruled("no hand is being played")
    return t.script_state


def board_of(melds: object) -> LaidMelds | None:
    """A board as an act names it: a list of melds, each a list of cards."""
    if not isinstance(melds, list | tuple) or not all(isinstance(meld, list | tuple) for meld in melds):
        return None
    return tuple(tuple(str(card) for card in meld) for meld in melds)
