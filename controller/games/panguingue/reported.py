"""Panguingue as Turlock deals it: no card is read, the dealer reports what is face up.

The engine expects no card. Each seat plays or drops; then melds are reported as they are laid, by any active seat,
since turns and hands are not seen. The meld that brings a board to eleven cards ends the hand.

Sheet: turlock-panguingue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Slot
from controller.engine.cards.melds import LaidMelds, Meld, cards_of, kind_of
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act
from controller.engine.procedures.rules import BuyInRules
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Posting
from controller.games.panguingue.facts import PanFacts
from controller.games.panguingue.melds import LEAST, MOST, chips, document, pan_deck
from controller.games.panguingue.options import NotReady, PanOptions, counterclockwise, read_settings
from controller.games.panguingue.settlement import Tray

DECLARE = (Choice("play"), Choice("drop"))
NO_PLACE = -1
"""Of cards that lie on no board."""


class ReportedPanguingue(Game[PanOptions]):
    slug = "panguingue-reported"
    title = "Panguingue, reported by the dealer"
    options_type = PanOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)

    def deck(self, options: PanOptions) -> dict[str, int]:
        return pan_deck(options.decks)

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("first_player", "deal_from", "antes", "stacks")

    def buy_ins(self, options: PanOptions) -> BuyInRules | None:
        return options.buy_ins

    def play(self, t: Table, options: PanOptions) -> Script:
        try:
            settings = read_settings(t.setup)
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        hand = ReportedHand(t, options, Tray(t, options.chip, settings.antes, settings.stacks))
        yield from t.collect_fees(options.schedule, "before_deal", dealt=t.seats)
        for seat in counterclockwise(t.seats, settings.first_player):
            act = yield from t.ask(seat, DECLARE)
            if act.do == "play":
                hand.boards[seat] = ()
        if len(hand.boards) > 1:
            while hand.winner is None:
                yield from hand.step()
        elif hand.boards:
            hand.winner = next(iter(hand.boards))
        else:
            t.void("nobody_plays", "every hand was dropped; the tops go back")
        hand.settle()


class ReportedHand:
    """Boards and chips of one hand."""

    def __init__(self, t: Table, options: PanOptions, tray: Tray) -> None:
        self.t, self.options, self.tray = t, options, tray
        self.boards: dict[int, LaidMelds] = {}
        """The active seats' melds."""
        self.laid: list[tuple[int, int]] = []
        """Melds in the order they were laid: seat, and which of its melds."""
        self.invalid: dict[int, Meld] = {}
        """Cards that were laid as a meld and are none, by how many melds lay there before."""
        self.winner: int | None = None
        self.facts = t.result.facts = PanFacts()
        t.result.flags = {"panned": False}
        self._note()

    def step(self) -> Move[None]:
        """One act of any active seat, as the dealer reports it."""
        body = yield from self.t.wait_for(*(WantDecision(seat, self._choices(seat)) for seat in self.boards))
        if type(body) is not Act:
            return
        refusal = self._do(body)
        if refusal is not None:
            self.t.refuse(body, refusal)

    def _choices(self, seat: int) -> tuple[Choice, ...]:
        meld = Choice("meld", melds=self.options.conditions.melds, board=self.boards[seat], laid=(1, MOST), unseen=True)
        return (meld, Choice("draw"), Choice("discard"))

    def _do(self, act: Act) -> Refusal | None:
        seat = int(act.seat)
        match act.do:
            case "draw":
                if act.facts.get("from") == "discard" and act.facts.get("depth", 1) != 1:
                    return Refusal("not_top_of_discard", "only the top card of the adjacent discard pile may be drawn")
                self.t.emit(ev.Decided(seat, "draw"))
            case "discard":
                self.t.emit(ev.Decided(seat, "discard"))
                self._go_on(seat)
            case "meld":
                return self._meld(seat, tuple(act.cards or ()), act.facts.get("onto"))
        return None

    def _meld(self, seat: int, cards: Meld, onto: object) -> Refusal | None:
        if not cards:
            return Refusal("needs_cards", "meld: name the cards")
        board, conditions = self.boards[seat], self.options.conditions
        out = cards_of(card for other in self.boards.values() for card in other)
        deck = pan_deck(self.options.decks)
        if any(out[card] + count > deck.get(card, 0) for card, count in cards_of([cards]).items()):
            return Refusal("no_such_card", "the pack does not hold these cards, or they lie on the table already")
        if cards_of([*board, cards]).total() > MOST:
            return Refusal("too_many_cards", f"a seat has {MOST} cards at most")
        where = self._where(board, cards, onto)
        if where is None and (onto is not None or len(cards) < LEAST):
            return Refusal("not_a_meld", f"{' '.join(cards)}: neither a rope nor a square, and no meld it adds to")
        if where is None:
            self._lay_invalid(seat, cards)
            return None
        before = chips(board[where], conditions) if where < len(board) else 0
        grown = (*board[where], *cards) if where < len(board) else cards
        self.t.emit(ev.Decided(seat, "meld"))
        laid = [Slot(CARDS[card]) for card in cards]
        self.t.hand(str(seat)).slots += laid
        self.t.emit(ev.HandShown(str(seat), tuple(slot.face for slot in laid)))
        if where == len(board):
            self.laid.append((seat, where))
        self.boards[seat] = (*board[:where], grown, *board[where + 1 :])
        worth = chips(grown, conditions) - before
        if worth > 0:
            self.tray.collect(seat, worth, self._others(seat), "kondition")
        if cards_of(self.boards[seat]).total() == MOST:
            self.winner = seat
        else:
            self._go_on(seat)
        self._note()
        return None

    def _lay_invalid(self, seat: int, cards: Meld) -> None:
        """Reported as it was face up: worth nothing, and none of the eleven cards; the player takes it back."""
        self.t.emit(ev.Decided(seat, "meld"))
        self.invalid[len(self.laid)] = cards
        self.laid.append((seat, NO_PLACE))
        self._go_on(seat)
        self._note()

    def _go_on(self, seat: int) -> None:
        """Fewer than eleven cards lie in melds: the hand is not over (13-14). Ruled once, for all of the hand."""
        if "play_goes_on" not in self.t.result.rulings:
            self.t.rule("play_goes_on", seat)

    def _where(self, board: LaidMelds, cards: Meld, onto: object) -> int | None:
        """Which meld of the board grows, or the place of a new one."""
        conditions = self.options.conditions
        if onto is None and len(cards) >= LEAST:
            return len(board) if kind_of(cards, conditions.melds) != "invalid" else None
        for place, meld in enumerate(board):
            named = onto is None or onto == place + 1
            if named and kind_of((*meld, *cards), conditions.melds) != "invalid":
                return place
        return None

    def _others(self, seat: int) -> Iterator[int]:
        return (other for other in self.boards if other != seat)

    def _note(self) -> None:
        conditions, facts = self.options.conditions, self.facts
        lying = [self.invalid.get(n) or self.boards[seat][place] for n, (seat, place) in enumerate(self.laid)]
        facts.melds = [document(meld, conditions) for meld in lying]
        facts.melded = {seat: cards_of(board).total() for seat, board in self.boards.items() if board}

    def settle(self) -> None:
        result, winner, chip = self.t.result, self.winner, self.options.chip
        if winner is None:
            result.net = dict(self.tray.net)
            return
        board = self.boards[winner]
        konditions = sum(chips(meld, self.options.conditions) for meld in board)
        panned = cards_of(board).total() == MOST
        at_the_end = konditions + self.options.out_chips if panned else 0
        if panned:
            self.tray.collect(winner, at_the_end, self._others(winner), "out")
        facts = self.facts
        facts.kondition_chips = konditions
        facts.each_active_player_pays = {"during_play": konditions * chip, "at_the_end": at_the_end * chip}
        facts.tops_to_winner = self.tray.award_tops(winner)
        result.flags = {"panned": panned}
        result.outcome = {seat: "win" if seat == winner else "lose" for seat in self.tray.net}
        result.arranged = {str(seat): [list(meld) for meld in melds] for seat, melds in self.boards.items() if melds}
        result.net = dict(self.tray.net)
