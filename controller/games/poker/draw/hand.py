"""A hand that is drawn to, with what the dealer's stub and discards hold.

The stub is counted, and the discards are kept, since they may be shuffled back; so are the hands as they were dealt,
since openers are proven by them.

Sheets: as in `draw`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action, terms_of
from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import Hand, Slot
from controller.engine.money.pots import SidePot, side_pots
from controller.engine.native import mypyc_attr
from controller.engine.round.felt import Move, Table
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.draw.options import DrawOptions

if TYPE_CHECKING:
    from controller.games.poker.core.streets import Street

STUB_EXHAUSTED = "stub_exhausted"


@mypyc_attr(allow_interpreted_subclasses=True)
class DrawHand(PokerHand):
    """A hand that is drawn to."""

    def __init__(self, t: Table, options: DrawOptions, settings: PokerSettings, rankings: Rankings, deck: int) -> None:
        super().__init__(t, options, settings, rankings)
        self.room = options
        self._deck = deck
        self._shuffled_back = 0
        self.discards: list[Slot] = []
        """What was thrown away and may be shuffled back; folded hands join it then."""
        self.dealt: dict[int, list[Slot]] = {}
        """Each hand as it was before the draw."""
        self.thrown: dict[int, list[Slot]] = {}
        self.thrown_now: dict[int, list[Slot]] = {}
        """The discards of the draw that goes on."""
        self.drawn: dict[int, list[Slot]] = {}
        """What each seat has received in the draw that goes on."""
        self.draw_named = ""
        """What the facts call the draw that goes on, or that was the last one."""
        self.cards_drawn = 0
        self.exposed_drawn: list[tuple[Hand, Slot]] = []
        self.next_burns: list[Slot] = []
        """Cards that lie on the stub to be burned."""
        self.stub_is_out = False
        """No card is replaced any more."""
        self.owed_on_draw: dict[int, int] = {}
        """Cards that a hand lacked before the draw and receives with it (000:243)."""
        self.dead: dict[int, str] = {}
        """Hands that died while hands were shown, with the ruling: they were in when the betting ended."""
        self.miscalled: set[int] = set()
        self.sevens = options.sevens
        self.checks: list[tuple[int, bool]] = []
        """Who checked after the draw while nothing was bet, and whether nobody was left to act."""
        self.calls: list[int] = []
        """Who called after the draw, in turn."""
        self.overcalled: dict[int, int] = {}
        """Bets that went back to who called behind a seven and lost."""
        self.last_bettor: int | None = None
        self.before_draw: dict[int, int] = {}
        """What each seat had in when the draw began."""

    # Betting

    def note_bet_sizes(self, streets: Sequence[Street]) -> None:
        terms = terms_of(self.rules)
        self.facts.bet_sizes = [terms.unit(street.bet) for street in streets]

    def open_betting(self, round: BetRound) -> Action:
        self.checks, self.calls, self.last_bettor = [], [], None
        return super().open_betting(round)

    def open_before_draw(self) -> None:
        """The first betting round is about to be asked for."""

    def take(self, seat: int, do: str, to: int | None) -> None:
        """An act that was offered."""
        action = self.action
        if action.is_first:
            action.take(seat, do, to)
            return
        if do == "check" and not action.current:
            self.checks.append((seat, action.still_to_act() == [seat]))
        elif do == "call":
            self.calls.append(seat)
        elif do != "fold":
            self.calls.clear()
            self.last_bettor = seat
        action.take(seat, do, to)

    def give_back(self, money: dict[int, int]) -> None:
        """Live money of these seats out of the pot."""
        for seat, cents in money.items():
            if cents:
                self.purse.take_back(seat, cents)
                self.hand_back(seat, cents)

    def pots(self) -> list[SidePot]:
        """As they were when the betting ended: a bet that goes back afterwards leaves no side pot (000:259)."""
        if not self.overcalled:
            return super().pots()
        live = {seat: cents + self.overcalled.get(seat, 0) for seat, cents in self.purse.live.items()}
        pots = side_pots(live, self.purse.folded, sum(self.purse.dead.values()))
        gone = sum(self.overcalled.values())
        return [*pots[:-1], SidePot(pots[-1].cents - gone, pots[-1].seats)]

    def most_discards(self, seat: int) -> tuple[int, str]:
        """How many cards the seat may throw away, and the code for more."""
        return min(self.room.most_discards, len(self.hole(seat))), "too_many_discards"

    # Splitting openers

    def may_declare_split(self, seat: int) -> bool:
        """Whether the seat may declare that it splits its openers, before it throws cards away."""
        return False

    def declare_split(self, seat: int) -> None:
        """It does."""

    # Rulings

    def rule_on(self, seat: int, code: str) -> None:
        self.facts.ruled[seat] = code
        self.t.rule(code, seat)

    # The stub

    @property
    def stub(self) -> int:
        """Cards left in the dealer's hand."""
        return self._deck - len(self.t.left) + self._shuffled_back

    def burn_for_draw(self) -> Move[None]:
        """The exposed card that lies on the stub, else the next one off it."""
        t = self.t
        if self.next_burns:
            slot = self.next_burns.pop(0)
            t.burns.append(slot)
            t.emit(ev.CardBurned(slot.face_if_exposed))
            self.note_burns()
            self.discards += self.next_burns
            self.next_burns.clear()
        elif self.room.burn:
            yield from self.burn()

    @property
    def deals(self) -> int:
        """How many cards of the stub may be dealt."""
        return self.stub - 1 if self.room.stub == "replenish" else self.stub

    def cards_for(self, seat: int, wanted: int) -> Move[int]:
        """How many of the wanted cards the stub has; shuffles the discards where the room does."""
        if self.deals >= (wanted if self.room.stub == "reshuffle_when_short" else 1):
            return self.deals
        match self.room.stub:
            case "no_more_draws":
                return 0
            case "replenish":
                yield from self._replenish()
            case "floor":
                text = "the stub is out; resume to shuffle the discards into it, or void"
                yield from self.t.call_floor(STUB_EXHAUSTED, text)
                self._shuffle_discards(seat)
            case _:
                self._shuffle_discards(seat)
        return self.deals

    def _replenish(self) -> Move[None]:
        """The last card and all discards, not the burn, are shuffled; burn again (001:440)."""
        last = self.stub
        back = self._gather(set())
        self.facts.cards_drawn_before_reshuffle = self.cards_drawn
        self.facts.reshuffled = last + len(back)
        self.t.rule("stub_replenished")
        self._into_stub(back)
        yield from self.t.burn(says=f"Shuffle the last card and {len(back)} discards, then burn")
        self.note_burns()

    def _shuffle_discards(self, seat: int) -> None:
        """Without those of who draws now (village-deuce-seven-triple-draw, A4), unless there are no others."""
        own = set(map(id, self.thrown_now.get(seat, ())))
        back = self._gather(own) or self._gather(set())
        self.facts.reshuffle = True
        self._into_stub(back)

    def _gather(self, without: set[int]) -> list[Slot]:
        """The discards, and the hands that were folded into them (004:1026)."""
        for seat in self.in_order(self.purse.folded):
            self.discards += self.hole(seat).slots
            self.hole(seat).slots.clear()
        back = [slot for slot in self.discards if id(slot) not in without]
        self.discards = [slot for slot in self.discards if id(slot) in without]
        return back

    def _into_stub(self, back: Sequence[Slot]) -> None:
        read = [slot.card for slot in back if slot.is_read]
        self.t.put_back(read, unread=len(back) - len(read))
        self._shuffled_back += len(back)
        self.take_back("discards", "stub", [Slot(None) for _ in back])
