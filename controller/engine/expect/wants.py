"""What a table can wait for, one class for each kind; a seat's decision is in choices.py."""

from __future__ import annotations

from controller.engine.amounts import dollars
from controller.engine.bets.hands import HandLimits
from controller.engine.bets.wagers import Book, WagerRule, wager_refusal
from controller.engine.expect.bank import WantBank
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.want import ELSEWHERE, Elsewhere, Refusal, Want, title
from controller.engine.inputs import (
    AnyBody,
    BankPosted,
    BetsClosed,
    BoardSeen,
    CardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    Happening,
    PackReported,
    Revealed,
    SensorSeen,
    ShoeStarted,
    StackOut,
    TableOpened,
    WagerPlaced,
    place_of,
    seat_of,
)


class WantCard(Want, tag="card"):
    """A card, or a stack of `count` at once, to one owner."""

    to: str
    nth: int
    count: int = 1
    face_up: bool = True
    says: str = ""
    """A game's own words for it: "Banker draws"."""
    piece: str = "card"
    """What it is dealt with: a tile is no card."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is CardOut:
            return None
        if type(body) is StackOut:
            if len(body.cards) == self.count:
                return None
            return Refusal("wrong_count", f"{title(self.to)} gets {self.count} {self.piece}s, {len(body.cards)} came")
        return ELSEWHERE

    def prompt(self) -> str:
        if self.says:
            return self.says
        if self.to == "burn":
            return "Burn a card"
        what = f"{self.piece.capitalize()} {self.nth}" if self.count == 1 else f"{self.count} {self.piece}s"
        return f"{what} to {title(self.to)}" + ("" if self.face_up else ", face down")


class WantWagers(Want, tag="wagers"):
    """Wagers until they are closed. `rules`: what may be bet; `book`: what is down."""

    rules: tuple[WagerRule, ...]
    seats: tuple[int, ...]
    book: Book
    may_close: bool = True
    bank: bool = True
    """Whether a player-dealer posts its money now; in pot games there is none."""
    says: str = ""
    """A game's own words for it: "Straddle, or deal"."""
    hands: HandLimits | None = None
    """How many hands one player may have; None: any number."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is WagerPlaced:
            return self._judge_wager(body)
        if type(body) is BetsClosed:
            return None if self.may_close else Refusal("may_not_close", "the wagers cannot be closed yet")
        if type(body) is BankPosted and self.bank:
            if body.spots and min(body.spots) < 0:
                return Refusal("negative_wager", "the player-dealer's wager cannot be negative")
            return None
        return ELSEWHERE

    def _judge_wager(self, body: WagerPlaced) -> Refusal | None:
        if body.cents < 0:
            return Refusal("negative_wager", "a wager cannot be negative")
        place = body.place
        if isinstance(place, int):
            seat = place
        else:
            try:
                place = place_of(place)
                seat = seat_of(place)
            except ValueError:
                return Refusal("no_such_place", f"{body.place!r} is not a betting place")
        if self.seats and seat not in self.seats:
            return Refusal("no_such_seat", f"seat {seat} does not take part in this round")
        if self.hands is not None and body.cents and (text := self.hands.refusal(self.book, place)) is not None:
            return Refusal("too_many_hands", text, {"hands": self.hands.may_play(place)})
        refused = wager_refusal(self.rules, self.book, place, body.wager, body.cents)
        return None if refused is None else Refusal(*refused)

    def prompt(self) -> str:
        return self.says or "Place your bets"


class WantDice(Want, tag="dice"):
    count: int = 3

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not DiceRolled:
            return ELSEWHERE
        if len(body.values) != self.count or not all(1 <= v <= 6 for v in body.values):
            return Refusal("not_dice", f"{self.count} dice show 1 to 6 each")
        return None

    def prompt(self) -> str:
        return f"Shake and open the cup ({self.count} dice)"


class WantReveal(Want, tag="reveal"):
    """Cards that were not read must be named before the round can go on, all at once or one after the other."""

    owner: str
    count: int
    asks: str = ""
    nth: tuple[int, ...] = ()
    """Which cards of the hand they are, from 1: a person cannot see which of them a reader missed."""
    piece: str = "card"

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not Revealed or body.owner != self.owner:
            return ELSEWHERE
        if not 1 <= len(body.cards) <= self.count:
            return Refusal("wrong_count", f"{title(self.owner)} has {self.count} {self.piece}s to name")
        return None

    def prompt(self) -> str:
        what = f"the {self.piece}" if self.count == 1 else f"the {self.count} {self.piece}s"
        return f"{title(self.owner)}: key {what}" + (f" — {self.asks}" if self.asks else "")


class WantDrop(Want, tag="drop"):
    """Fees that must be in their boxes before the round goes on: cents by box."""

    boxes: dict[str, int]
    before: str
    """What must wait for them, in words: "the first card"."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        match body:
            case FeesIn():
                return None
            case SensorSeen(what="dropped") if body.box in self.boxes and body.count:
                return None
            case CardOut() | StackOut():
                return Refusal("card_before_fees", "a card left before the fees were in the box")
            case DiceRolled():
                return Refusal("dice_before_fees", "the dice cup was opened before the fees were in the box")
        return ELSEWHERE

    def prompt(self) -> str:
        fees = " and ".join(f"{dollars(cents)} into the {box} box" for box, cents in self.boxes.items())
        return f"Drop {fees} before {self.before}"


class WantShoe(Want, tag="shoe"):
    """A fresh shoe before the next round."""

    why: str = ""
    """What is wrong with the one that was loaded."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is ShoeStarted else ELSEWHERE

    def prompt(self) -> str:
        return "Shuffle and load a new shoe" + (f": {self.why}" if self.why else "")


class WantPack(Want, tag="pack"):
    """Under shuffle control: a pack that a machine reports, or the dealer declares, shuffled and counted."""

    cards: int | None = None

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not PackReported:
            return ELSEWHERE
        if None not in (body.cards, self.cards) and body.cards != self.cards:
            return Refusal("wrong_count", f"{self.cards} cards belong into the pack", {"cards": self.cards})
        return None

    def prompt(self) -> str:
        of = "" if self.cards is None else f" of {self.cards} cards"
        return f"Shuffle and count the pack{of}, then declare it"


class WantRepair(Want, tag="repair"):
    """The board itself has a fault that lets no new round begin."""

    text: str

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is BoardSeen else ELSEWHERE

    def prompt(self) -> str:
        return f"No new round: {self.text}"


class WantOpening(Want, tag="opening"):
    """The table is closed: nothing begins before the house opens it."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is TableOpened else ELSEWHERE

    def prompt(self) -> str:
        return "The table is closed"


class WantFloor(Want, tag="floor"):
    """The table is held; a supervisor decides."""

    code: str
    text: str
    choices: tuple[str, ...] = ("resume", "use_next", "void")
    happenings: tuple[str, ...] = ()
    """Codes the floor may give the irregularity, where the game has a ruling for it."""
    seats: tuple[int, ...] = ()
    """The positions of which every act but void names one; empty: no act names any."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is FloorAct:
            if body.do not in self.choices:
                return Refusal("no_such_floor_act", f"the floor may {', '.join(self.choices)}")
            if self.names_seat(body.do) and body.seat not in self.seats:
                seats = ", ".join(map(str, self.seats))
                return Refusal("no_such_seat", f"{body.do}: name a position of {seats}", {"seats": list(self.seats)})
            return None
        if type(body) is Happening and body.code in self.happenings:
            return None
        return ELSEWHERE

    def names_seat(self, do: str) -> bool:
        return bool(self.seats) and do != "void"

    def prompt(self) -> str:
        return f"Held, call the floor: {self.text}"


AnyWant = (
    WantCard
    | WantWagers
    | WantDecision
    | WantDice
    | WantReveal
    | WantDrop
    | WantShoe
    | WantPack
    | WantRepair
    | WantOpening
    | WantBank
    | WantFloor
)
