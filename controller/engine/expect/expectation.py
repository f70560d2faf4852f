"""What the table waits for: the one public value behind prompts, locks, bots and refusals.

A script yields an `Expectation`: the things that may happen now (`wants`, any one of them) and, where a game has a
particular reason, what may not (`barred`); the table adds what its floor may do at any time. Everything else follows
from it alone: `judge` decides whether an input is legal or why not, `prompt` is the text for the dealer,
`cards_allowed` is how many cards the shoe may release.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from controller.engine.amounts import dollars
from controller.engine.bets.limits import UNLIMITED
from controller.engine.bets.wagers import Book, WagerRule, wager_refusal
from controller.engine.cards.melds import MeldRules
from controller.engine.inputs import (
    Act,
    Amended,
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
    Place,
    Revealed,
    SensorSeen,
    ShoeStarted,
    StackOut,
    TableOpened,
    WagerPlaced,
    place_of,
    seat_of,
)


class Refusal(Struct, frozen=True):
    """Why an input changes nothing: the sheet's code, a sentence for a person, and the bound that it broke."""

    why: str
    text: str
    bounds: dict[str, Any] = {}


class Want(Struct, frozen=True, tag_field="want", omit_defaults=True, gc=False):
    """One thing the table is ready for."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        """None: legal. A refusal: this want's, but not like that. `ELSEWHERE`: not a matter of this want."""
        raise NotImplementedError

    def prompt(self) -> str:
        raise NotImplementedError


class Elsewhere:
    """The input is not this want's business."""


ELSEWHERE: Final = Elsewhere()


class WantCard(Want, frozen=True, tag="card"):
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


class WantWagers(Want, frozen=True, tag="wagers"):
    """Wagers until they are closed. `rules`: what may be bet; `book`: what is down."""

    rules: tuple[WagerRule, ...]
    seats: tuple[int, ...]
    book: Book
    may_close: bool = True
    bank: bool = True
    """Whether a player-dealer posts its money now; in pot games there is none."""
    says: str = ""
    """A game's own words for it: "Straddle, or deal"."""

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
        refused = wager_refusal(self.rules, self.book, place, body.wager, body.cents)
        return None if refused is None else Refusal(*refused)

    def prompt(self) -> str:
        return self.says or "Place your bets"


class Choice(Struct, frozen=True, omit_defaults=True):
    """One thing a seat may do, with the bounds of what it must name."""

    do: str
    label: str = ""
    """What the prompt calls it, where the name of the act does not read well."""
    cents: int | None = None
    """The one amount it has, which the act need not name."""
    min_cents: int | None = None
    max_cents: int | None = None
    to: tuple[int, int] | None = None
    """Poker: least and most the act may bring the seat to."""
    to_one_of: tuple[int, ...] = ()
    """Poker: the only amounts, where not a range (fixed limit, all-in)."""
    reach: int | None = None
    """Poker: all the seat's chips; an act that names more is refused with `beyond`, whatever the other bounds."""
    count: tuple[int, int] | None = None
    """Cards to name: at least, at most."""
    miscount: str = "wrong_count"
    """The sheet's code for too few or too many of them."""
    cards: tuple[str, ...] = ()
    """Cards to choose from; empty where nobody may know them."""
    melds: MeldRules | None = None
    """Rummy: what a meld is, where the act lays one."""
    board: tuple[tuple[str, ...], ...] = ()
    """Rummy: what the seat has laid already."""
    unseen: bool = False
    """No card of this game is read: the person who reports the act names them."""
    laid: tuple[int, int] | None = None
    """Rummy: how many cards may be on the board after the act."""
    piles: int = 0
    by: tuple[str, ...] = ()
    """Who else may decide in the seat's place: `house`."""
    by_names: bool = False
    """Whoever decides in its place names the cards as well: there is no chart to look them up in."""
    below: str = "below_minimum"
    above: str = "above_maximum"
    beyond: str = "table_stakes"

    def said(self) -> str:
        """The choice as the prompt names it: "raise to $6", "call $2.50".

        >>> Choice("raise", to=(400, 20000)).said(), Choice("call", to_one_of=(250,)).said(), Choice("check").said()
        ('raise to $4-$200', 'call $2.50', 'check')
        >>> Choice("bet", to=(200, UNLIMITED)).said(), Choice("bring_in", to_one_of=(200, 400)).said()
        ('bet $2 or more', 'bring in $2 or $4')
        """
        if self.label:
            return self.label
        do = self.do.replace("_", " ")
        amounts = " or ".join(map(dollars, self.to_one_of))
        if not amounts and self.to is not None:
            least, most = self.to
            amounts = f"{dollars(least)} or more" if most >= UNLIMITED else f"{dollars(least)}-{dollars(most)}"
        if not amounts:
            return do
        return f"{_BEFORE_AMOUNTS.get(self.do, do)} {amounts}"


_BEFORE_AMOUNTS: Final = {"raise": "raise to", "complete": "complete to", "open": "open for"}
"""What the prompt puts before the amount, where not the act alone."""


class WantDecision(Want, frozen=True, tag="decision"):
    """One seat decides."""

    seat: Place
    choices: tuple[Choice, ...]
    hand: int = 1
    """Which of the seat's hands, where it has several."""
    asks: str = ""
    piece: str = "card"

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not Act or body.seat != self.seat:
            return ELSEWHERE
        for choice in self.choices:
            if choice.do == body.do:
                return judge_choice(choice, body)
        return ELSEWHERE

    @property
    def who(self) -> str:
        """The seat and which of its hands, as the cards for it are called."""
        return title(f"{self.seat}/{self.hand}" if self.hand > 1 else str(self.seat))

    def said(self) -> str:
        """What there is to choose from."""
        names = [choice.said() for choice in self.choices]
        said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
        return said + (f" — {self.asks}" if self.asks else "")

    def prompt(self) -> str:
        return f"{self.who}: {self.said()}"


def judge_choice(choice: Choice, act: Act) -> Refusal | None:
    """Amounts, cards and piles of an act against the choice's bounds."""
    if choice.cents is not None and act.cents is not None and act.cents != choice.cents:
        why = choice.below if act.cents < choice.cents else choice.above
        return Refusal(why, f"{choice.said()}, not {dollars(act.cents)}", {"cents": choice.cents})
    if choice.max_cents is not None:
        if act.cents is None:
            return Refusal("needs_cents", f"{choice.do}: say how much")
        if act.cents > choice.max_cents:
            return Refusal(choice.above, f"at most {dollars(choice.max_cents)}", {"max_cents": choice.max_cents})
        if act.cents < (choice.min_cents or 0):
            return Refusal(choice.below, f"at least {dollars(choice.min_cents or 0)}", {"min_cents": choice.min_cents})
    if choice.reach is not None and act.to is not None and act.to > choice.reach:
        text = f"seat {act.seat} has {dollars(choice.reach)} in all for this round"
        return Refusal(choice.beyond, text, {"max_to": choice.reach})
    if choice.to_one_of:
        # The one amount there is need not be named.
        if act.to not in choice.to_one_of and (act.to is not None or len(choice.to_one_of) > 1):
            legal = list(choice.to_one_of)
            bounds: dict[str, Any] = {"legal_to": legal[0]} if len(legal) == 1 else {"one_of": legal}
            why = choice.above if act.to is not None and act.to > legal[-1] else choice.below
            return Refusal(why, f"{choice.said()}, not {dollars(act.to or 0)}", bounds)
    elif choice.to is not None:
        least, most = choice.to
        if act.to is None:
            return Refusal("needs_amount", f"{choice.said()}: say how much")
        if act.to < least:
            # A range of one amount is also exactly that (calgrand-betting-structures, section 8).
            bounds = {"min_to": least, "legal_to": least} if least == most else {"min_to": least}
            return Refusal(choice.below, f"{choice.do} to at least {dollars(least)}", bounds)
        if act.to > most:
            return Refusal(choice.above, f"{choice.do} to at most {dollars(most)}", {"max_to": most})
    if choice.piles and not (act.pile is not None and 1 <= act.pile <= choice.piles):
        return Refusal("no_such_pile", f"choose a pile from 1 to {choice.piles}")
    if act.by is not None:
        return None if act.by in choice.by else Refusal("not_offered", f"{choice.do} by {act.by} is not offered")
    if choice.count is not None:
        given = act.cards or act.front or ()
        least, most = choice.count
        if not least <= len(given) <= most:
            return Refusal(choice.miscount, f"{choice.do}: name {least} to {most} cards, {len(given)} given")
        if choice.cards:
            left = list(choice.cards)
            for code in given:
                if code not in left:
                    return Refusal("not_your_card", f"{code} is not among the cards to choose from")
                left.remove(code)
    return None


class WantDice(Want, frozen=True, tag="dice"):
    count: int = 3

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not DiceRolled:
            return ELSEWHERE
        if len(body.values) != self.count or not all(1 <= v <= 6 for v in body.values):
            return Refusal("not_dice", f"{self.count} dice show 1 to 6 each")
        return None

    def prompt(self) -> str:
        return f"Shake and open the cup ({self.count} dice)"


class WantReveal(Want, frozen=True, tag="reveal"):
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


class WantDrop(Want, frozen=True, tag="drop"):
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


class WantShoe(Want, frozen=True, tag="shoe"):
    """A fresh shoe before the next round."""

    why: str = ""
    """What is wrong with the one that was loaded."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is ShoeStarted else ELSEWHERE

    def prompt(self) -> str:
        return "Shuffle and load a new shoe" + (f": {self.why}" if self.why else "")


class WantPack(Want, frozen=True, tag="pack"):
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


class WantRepair(Want, frozen=True, tag="repair"):
    """The board itself has a fault that lets no new round begin."""

    text: str

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is BoardSeen else ELSEWHERE

    def prompt(self) -> str:
        return f"No new round: {self.text}"


class WantOpening(Want, frozen=True, tag="opening"):
    """The table is closed: nothing begins before the house opens it."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        return None if type(body) is TableOpened else ELSEWHERE

    def prompt(self) -> str:
        return "The table is closed"


class WantFloor(Want, frozen=True, tag="floor"):
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
    | WantFloor
)


class Barred(Struct, frozen=True, omit_defaults=True):
    """What a game refuses with a code of its own: an act or a wager by its name. Null matches any seat or any act."""

    why: str
    text: str
    seat: Place | None = None
    do: str | None = None
    bounds: dict[str, Any] = {}


class AtAnyTime(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is legal beside what the table waits for: a supervisor's acts, and that something happened."""

    floor: tuple[str, ...] = ()
    """Of hold, void and waive those that are possible now."""
    hears: bool = False
    """Whether anybody may report that something happened; what the game does not rule holds the table."""
    ruled: tuple[str, ...] = ()
    """The happenings that this table has a ruling or a name for."""
    amends: int | None = None
    """The round whose inputs may be corrected."""

    def admits(self, body: AnyBody) -> bool:
        if type(body) is FloorAct:
            return body.do in self.floor
        if type(body) is Happening:
            return self.hears
        return type(body) is Amended and body.round == self.amends


NOTHING_BESIDE: Final = AtAnyTime()


class Expectation(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything legal now: any of `wants`, and what may be done at any time. A script yields its wants alone."""

    wants: tuple[AnyWant, ...]
    barred: tuple[Barred, ...] = ()
    at_any_time: AtAnyTime = NOTHING_BESIDE


def expect(*wants: AnyWant, barred: tuple[Barred, ...] = ()) -> Expectation:
    return Expectation(wants, barred)


def judge(expectation: Expectation, body: AnyBody) -> Refusal | None:
    """None where the input is legal now, else the reason a person can read."""
    if expectation.at_any_time.admits(body):
        return None
    if expectation.barred and type(body) is WagerPlaced:
        for bar in expectation.barred:
            if bar.do == body.wager and bar.seat in (None, body.place) and body.cents:
                return Refusal(bar.why, bar.text, bar.bounds)
    for want in expectation.wants:
        verdict = want.judge(body)
        if verdict is None:
            return None
        if not isinstance(verdict, Elsewhere):
            return verdict
    if type(body) is Act:
        for bar in expectation.barred:
            if bar.seat in (None, body.seat) and bar.do in (None, body.do):
                return Refusal(bar.why, bar.text, bar.bounds)
        asked = [want.seat for want in expectation.wants if type(want) is WantDecision]
        if asked and body.seat not in asked:
            who = " or ".join(str(seat) for seat in asked)
            return Refusal("not_in_turn", f"it is seat {who}'s turn")
        if asked:
            return Refusal("not_offered", f"{prompt(expectation)}; {body.do!r} is not offered")
    if type(body) is WagerPlaced:
        return Refusal("bets_closed", f"no more bets; {prompt(expectation)}")
    return Refusal("not_expected", f"the table waits for something else: {prompt(expectation)}")


def prompt(expectation: Expectation) -> str:
    """The text for the dealer; what several seats are asked alike appears once.

    >>> prompt(Expectation((WantDecision(2, (Choice("discard"),)), WantDecision(5, (Choice("discard"),)))))
    'Seats 2, 5: discard'
    """
    wants = expectation.wants
    if not wants:
        return "The round is over"
    if len(wants) == 1:
        return wants[0].prompt()
    texts: list[str] = []
    for what, alike in groupby(wants, lambda want: want.said() if type(want) is WantDecision else None):
        group = list(alike)
        if what is None or len(group) == 1:
            texts += [want.prompt() for want in group]
        else:
            seats = [want.who.removeprefix("Seat ") for want in group if type(want) is WantDecision]
            texts.append(f"Seats {', '.join(seats)}: {what}")
    return " / ".join(texts)


def cards_allowed(expectation: Expectation) -> int:
    """How many cards may leave the shoe or the machine now: the lock follows this."""
    return max((want.count for want in expectation.wants if type(want) is WantCard), default=0)


def title(owner: str) -> str:
    """An owner's name for people: "Banker", "Seat 3", "Player-dealer".

    >>> title("player_dealer"), title("3"), title("3.2"), title("3/2")
    ('Player-dealer', 'Seat 3', 'Seat 3, hand 2', 'Seat 3, split hand 2')
    """
    if owner[:1].isdigit():
        place, _, split = owner.partition("/")
        seat, _, hand = place.partition(".")
        name = f"Seat {seat}, hand {hand}" if hand else f"Seat {seat}"
        return f"{name}, split hand {split}" if split else name
    return owner[:1].upper() + owner[1:].replace("_", "-" if owner == "player_dealer" else " ")
