"""Due against dropped: what each round owes a box, what fell into it, and what the difference proves.

What a round owes a box is final when the round is over. From then on it is a *claim*, and the pieces that fell are laid
against it: those of the round itself, and those that follow within the grace. When the grace is over the claim is
judged, once. A claim that was judged short stays open: what falls later is reported as late. Pieces that nobody owed
are *loose* for as long, then unexplained.

Nothing is guessed: `drop_worth` says what a count can prove, a sensor that lost count proves nothing (`unproven`), and
the sums of a box are right whichever round a piece was laid against. Time comes with the inputs; `next_look` is when
the daemon has to say that it is later, should nothing else happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.drop.books import Book, Claim, Loose, Reckoning, pieces
from controller.engine.drop.worth import DropTerms, Fallen, compare, proof, worth

_EVIDENCE = 20
"""Drops that are named one by one in the evidence for a claim."""
_OPEN = 50
"""Claims of one box that stay open for a late drop; of older ones only the sum is kept."""
_DOUBTS_KEPT = 20
_NOTHING = Fallen()
_NEEDS = ("short", "wrong_amount")


class Reckoner:
    """One change of the books: what happened goes in, events come out, `done` is the books after it."""

    def __init__(
        self,
        before: Reckoning,
        terms: DropTerms,
        now: int,
        *,
        owed: Mapping[str, int] | None = None,
        away: frozenset[str] = frozenset(),
        knows_dues: bool = True,
    ) -> None:
        """`owed`: what the running round owes by now, None between rounds. `away`: boxes whose sensor is offline.

        `knows_dues`: a schedule is posted and the table knows its fees; else what falls is counted, and that is all.
        """
        self.terms, self.now = terms, now
        self._owed, self._away, self._knows_dues = owed, away, knows_dues
        self.books = dict(before.books)
        self.gone = dict(before.gone)
        self.let_off = dict(before.let_off)
        self.counted = dict(before.counted)
        self.dealer = before.dealer
        self._before = before
        self.events: list[ev.Event] = []

    @property
    def done(self) -> Reckoning:
        """The books as they stand now."""
        return replace(self._before, books=self.books, gone=self.gone, counted=self.counted, let_off=self.let_off)

    @property
    def is_dealing(self) -> bool:
        return self._owed is not None

    def running(self, box: str) -> int:
        """Cents that the running round owes a box by now."""
        return 0 if self._owed is None else self._owed.get(box, 0)

    # What fell

    def fell(self, box: str, fallen: Fallen) -> None:
        """Pieces fell through a slot."""
        book = self.books[box]
        if book.is_out:
            text = f"{pieces(fallen.pieces)} fell through the slot of the {box} box while no box was in it"
            self.notice("no_box", box, text, fallen)
            book = replace(self.books[box], astray=book.astray + fallen.pieces)
        else:
            book = replace(book, fallen=book.fallen + fallen, unweighed=book.unweighed + fallen)
        self.books[box] = book
        if not self._knows_dues and not book.claims:
            return
        for part in self._laid(book, fallen):
            self._lay(box, part)
        self._settle_late(box)

    def doubted(self, box: str, what: str) -> None:
        """The sensor lost count: nothing that is missing now is proved to be missing."""
        book = self.books[box]
        claims = tuple(claim if claim.verdict else replace(claim, doubt=what) for claim in book.claims)
        self.books[box] = replace(book, doubts=(*book.doubts, what)[-_DOUBTS_KEPT:], doubted_at=self.now, claims=claims)

    def _laid(self, book: Book, fallen: Fallen) -> Iterator[Fallen]:
        """As a whole, where that settles the claim that comes first or cannot be divided; else piece by piece."""
        first = next(iter(self._needy(book)), None)
        whole = first is None or self._verdict(first.fallen + fallen, first.due) == "fits"
        if whole or fallen.known or not self.terms.chips:
            yield fallen
        else:
            yield from (Fallen(1) for _ in range(fallen.pieces))

    def _lay(self, box: str, part: Fallen, was: Loose | None = None) -> None:
        """`was`: it fell before now, and nobody knew for what."""
        book = self.books[box]
        target = next(iter(self._needy(book)), None)
        owed = self.running(box)
        running = owed > 0 and self._verdict(_sum(loose.fallen for loose in book.loose), owed) in _NEEDS
        if running and (target is None or target.verdict):
            target = None
        elif target is None and self._owed is None:
            # A second drop for a round that had its fee: too much for it, rather than from nowhere.
            target = next((claim for claim in reversed(book.claims) if not claim.verdict), None)
        if target is None:
            self.books[box] = replace(book, loose=self._loosened(book, part))
        else:
            at, into = (self.now, book.id) if was is None else (was.at, was.into)
            self._put(box, target, _with(target, at, part, into))

    def _loosened(self, book: Book, part: Fallen) -> tuple[Loose, ...]:
        last = book.loose[-1] if book.loose else None
        if last is not None and (last.at, last.dealer, last.into) == (self.now, self.dealer, book.id):
            return (*book.loose[:-1], replace(last, fallen=last.fallen + part))
        return (*book.loose, Loose(self.now, self._until, part, self.dealer, book.id))

    def _needy(self, book: Book) -> list[Claim]:
        """Claims that need more: those within their grace first, then those that were judged short."""
        needy = [claim for claim in book.claims if self._verdict(claim.fallen, claim.due) in _NEEDS]
        fresh = [claim for claim in needy if not claim.verdict]
        waits = any(not claim.verdict for claim in book.claims) or self._owed is not None
        if not self.terms.chips and waits:
            # One piece is as good as another: the second of this round's fee must not pass for an older one's.
            return fresh
        return fresh + [claim for claim in needy if claim.verdict]

    def _settle_late(self, box: str) -> None:
        for claim in self.books[box].claims:
            if claim.verdict and self._verdict(claim.fallen, claim.due) == "fits":
                self._match(box, claim)

    # What is owed

    def round_over(self, number: int, due: Mapping[str, int], began: int) -> None:
        """A round is over: what it owes is final."""
        for box, book in self.books.items():
            self.books[box] = replace(book, judged=())
            cents = due.get(box, 0)
            if cents:
                self._claim(box, Claim(number, cents, began, self._until, self.dealer))
            self._gather(box)

    def clock_struck(self, number: int, due: Mapping[str, int]) -> None:
        """Fees fell due by the clock."""
        for box in [box for box in self.books if due.get(box)]:
            self._claim(box, Claim(number, due[box], self.now, self._until, self.dealer, by="clock"))
            if self._owed is None:
                self._gather(box)

    def corrected(self, number: int, due: Mapping[str, int]) -> None:
        """The last round was run again from corrected inputs and owes this: its claims are opened again."""
        for box, book in self.books.items():
            mine = [c for c in (*book.claims, *book.judged) if c.round == number and c.by == "round"]
            before, cents = sum(claim.due for claim in mine), due.get(box, 0)
            if before == cents:
                continue
            old = mine[0] if mine else Claim(number, 0, self.now, self._until, self.dealer)
            claims = tuple(claim for claim in book.claims if claim not in mine)
            judged = tuple(claim for claim in book.judged if claim not in mine)
            again = replace(old, due=cents, until=self._until, verdict="")
            if cents or again.fallen.pieces:
                claims = (*claims, again)
            self.books[box] = replace(book, claims=claims, judged=judged, due=book.due + cents - before)

    def reopened(self, number: int) -> None:
        """A correction lets the last round go on: what fell for it waits for its end again."""
        for box, book in self.books.items():
            mine = [c for c in (*book.claims, *book.judged) if c.round == number and c.by == "round"]
            loose = [Loose(c.since, self._until, c.fallen, c.dealer, c.into) for c in mine if c.fallen.pieces]
            self.books[box] = replace(
                book,
                claims=tuple(claim for claim in book.claims if claim not in mine),
                judged=tuple(claim for claim in book.judged if claim not in mine),
                loose=(*loose, *book.loose),
                due=book.due - sum(claim.due for claim in mine),
            )

    def explained(self, box: str, round_: int | None, *, owed: bool) -> int:
        """Somebody states what became of it: open claims and what else was noticed are closed.

        Returns the cents that are not owed after all.
        """
        book = self.books[box]
        closed = [c for c in book.claims if c.verdict and (round_ is None or c.round == round_)]
        less = 0 if owed else sum(claim.due for claim in closed) + (book.given_up if round_ is None else 0)
        claims = tuple(claim for claim in book.claims if claim not in closed)
        self.books[box] = replace(book, claims=claims, due=book.due - less)
        if round_ is None:
            self.books[box] = replace(self.books[box], attention="", given_up=0)
        if less:
            self.let_off[box] = self.let_off.get(box, 0) + less
        return less

    def given_back(self, box: str, round_: int, cents: int) -> None:
        """The floor gives back what a void round had paid; what already fell stays in the account of its box."""
        book = self.books.get(box)
        if book is not None:
            closed = [claim for claim in book.claims if claim.by == "round" and claim.round == round_]
            claims = tuple(claim for claim in book.claims if claim not in closed)
            self.books[box] = replace(book, claims=claims, due=book.due - sum(claim.due for claim in closed))
        self.let_off[box] = self.let_off.get(box, 0) + cents

    def _claim(self, box: str, claim: Claim) -> None:
        book = self.books[box]
        if book.doubts and book.doubted_at >= claim.since:
            claim = replace(claim, doubt=book.doubts[-1])
        self.books[box] = replace(book, claims=(*book.claims, claim), due=book.due + claim.due)

    def _gather(self, box: str) -> None:
        """What fell while the round ran, laid against what it turned out to owe."""
        loose = self.books[box].loose
        self.books[box] = replace(self.books[box], loose=())
        running, self._owed = self._owed, None
        for item in loose:
            if any(not claim.verdict for claim in self.books[box].claims):
                for part in self._laid(self.books[box], item.fallen):
                    self._lay(box, part, item)
            else:
                book = self.books[box]
                self.books[box] = replace(book, loose=(*book.loose, replace(item, until=self._until)))
        self._owed = running
        self._settle_late(box)
        self._follow_pieces(box)

    def _follow_pieces(self, box: str) -> None:
        """A fee that fell into the box before this one is owed to that."""
        book = self.books[box]
        for claim in book.claims:
            gone = self.gone.get(claim.into)
            if gone is not None and claim.into != book.id and not (claim.verdict or claim.is_moved):
                self._put(box, claim, replace(claim, is_moved=True))
                self.gone[claim.into] = replace(gone, book=replace(gone.book, due=gone.book.due + claim.due))
                self.books[box] = replace(self.books[box], due=self.books[box].due - claim.due)

    # The grace is over

    def judge(self) -> None:
        """Judge every claim and every loose piece whose time has come."""
        ripe = [
            (box, claim)
            for box, book in self.books.items()
            for claim in book.claims
            if not claim.verdict and claim.until <= self.now
        ]
        for box, claim in ripe:
            if self._verdict(claim.fallen, claim.due) in _NEEDS:
                self._find_elsewhere(box, claim)
        for box, claim in ripe:
            if claim in self.books[box].claims:
                self._judge(box, claim)
        if self._owed is None:
            for box in self.books:
                self._judge_loose(box)

    def _judge(self, box: str, claim: Claim) -> None:
        verdict = self._verdict(claim.fallen, claim.due)
        if verdict == "fits":
            self._match(box, claim)
            return
        fell = pieces(claim.fallen.pieces)
        head = f"{_whose(claim)} owes the {box} box {dollars(claim.due)}; {fell} fell"
        doubt = claim.doubt or ("sensor_away" if box in self._away else "")
        if verdict == "over":
            text = f"{head}, at least {dollars(worth(claim.fallen, self.terms.chips).low)}"
            self._differs("over", box, text, claim)
            self._close(box, claim)
            self.books[box] = replace(self.books[box], attention=text)
            return
        if doubt:
            what, text = "unproven", f"{head}, as far as is known: {_DOUBTS[doubt]}"
        elif verdict == "wrong_amount":
            what, text = verdict, f"{head}, which cannot be that amount"
        else:
            what, text = "short", head
        self._differs(what, box, text, claim, doubt=doubt)
        self._put(box, claim, replace(claim, verdict=what))
        self._give_up_oldest(box)

    def _give_up_oldest(self, box: str) -> None:
        """A sensor that is dead all day must not make the table carry every round of it."""
        book = self.books[box]
        judged = [claim for claim in book.claims if claim.verdict]
        if len(judged) > _OPEN:
            kept = tuple(claim for claim in book.claims if claim is not judged[0])
            self.books[box] = replace(book, claims=kept, given_up=book.given_up + judged[0].due)

    def _find_elsewhere(self, box: str, claim: Claim) -> None:
        """What is missing here fell into another box that was not owed it."""
        earliest = claim.since - self.terms.grace_ms
        for other, book in self.books.items():
            if other == box:
                continue
            # What fell while the next round runs, and is owed by it, is that one's.
            loose = [] if self.running(other) else [item for item in book.loose if item.at >= earliest]
            if loose and self._verdict(claim.fallen + _sum(item.fallen for item in loose), claim.due) == "fits":
                kept = tuple(item for item in book.loose if item not in loose)
                self.books[other] = replace(book, loose=kept)
                self._in_wrong_box(box, claim, other, sum(item.fallen.pieces for item in loose))
                return
            for theirs in book.claims:
                both = self._verdict(claim.fallen + theirs.fallen, claim.due + theirs.due) == "fits"
                same = theirs.round == claim.round and not theirs.verdict
                if same and both and self._verdict(theirs.fallen, theirs.due) == "over":
                    self._close(other, theirs)
                    self._in_wrong_box(box, claim, other, theirs.fallen.pieces)
                    return

    def _in_wrong_box(self, box: str, claim: Claim, other: str, there: int) -> None:
        text = (
            f"{_whose(claim)} owes the {box} box {dollars(claim.due)}; "
            f"{pieces(there)} that can be that fell into the {other} box"
        )
        self._differs("wrong_box", box, text, claim, into=other, pieces_there=there)
        self._close(box, claim)
        for name in (box, other):
            self.books[name] = replace(self.books[name], attention=text)

    def _judge_loose(self, box: str) -> None:
        book = self.books[box]
        ripe = [item for item in book.loose if item.until <= self.now]
        if not ripe:
            return
        fallen = _sum(item.fallen for item in ripe)
        text = f"{pieces(fallen.pieces)} fell into the {box} box that nobody owed it"
        drops = [[item.at, item.fallen.pieces] for item in ripe]
        self._differs("unexplained", box, text, fallen=fallen, dealer=ripe[0].dealer, drops=drops)
        self.books[box] = replace(book, loose=tuple(i for i in book.loose if i not in ripe), attention=text)

    # Telling

    def notice(self, what: str, box: str, text: str, fallen: Fallen, **facts: Any) -> None:
        """Something else at a box that somebody has to look at."""
        self._differs(what, box, text, fallen=fallen, dealer=self.dealer, **facts)
        self.books[box] = replace(self.books[box], attention=text)

    def _match(self, box: str, claim: Claim) -> None:
        bounds = worth(claim.fallen, self.terms.chips)
        self.events.append(
            ev.DropMatched(
                box,
                claim.due,
                claim.fallen.pieces,
                claim.round,
                claim.dealer,
                proof(claim.fallen, self.terms.chips),
                bounds.low,
                bounds.high,
                claim.into,
                bool(claim.verdict),
                claim.by == "clock",
            )
        )
        self._close(box, claim)

    def _differs(
        self,
        what: str,
        box: str,
        text: str,
        claim: Claim | None = None,
        *,
        fallen: Fallen = _NOTHING,
        dealer: str = "",
        **facts: Any,
    ) -> None:
        evidence = {name: value for name, value in facts.items() if value not in ("", None)}
        id_, round_, due = self.books[box].id, None, 0
        if claim is not None:
            evidence |= {"since": claim.since, "until": claim.until, "drops": [list(drop) for drop in claim.drops]}
            id_, round_, due = claim.into or id_, claim.round, claim.due
            fallen, dealer = claim.fallen, claim.dealer
        bounds = worth(fallen, self.terms.chips)
        clock = claim is not None and claim.by == "clock"
        low, high = bounds.low, bounds.high
        event = ev.DropDiffers(what, box, text, due, fallen.pieces, round_, dealer, low, high, id_, evidence, clock)
        self.events.append(event)

    # Parts

    @property
    def _until(self) -> int:
        return self.now + self.terms.grace_ms

    def _verdict(self, fallen: Fallen, due: int) -> str:
        return compare(fallen, due, self.terms.tolerance, self.terms.chips)

    def _put(self, box: str, old: Claim, new: Claim) -> None:
        claims = tuple(new if claim is old else claim for claim in self.books[box].claims)
        self.books[box] = replace(self.books[box], claims=claims)

    def _close(self, box: str, claim: Claim) -> None:
        book = self.books[box]
        claims = tuple(other for other in book.claims if other is not claim)
        self.books[box] = replace(book, claims=claims, judged=(*book.judged, claim))


_DOUBTS = {
    "sensor_reset": "its sensor restarted meanwhile",
    "count_doubtful": "its counter went where it cannot go meanwhile",
    "sensor_away": "its sensor does not answer",
}


def _whose(claim: Claim) -> str:
    return f"round {claim.round}" if claim.by == "round" else "the clock"


def _sum(parts: Iterable[Fallen]) -> Fallen:
    return sum(parts, start=Fallen())


def _with(claim: Claim, at: int, fallen: Fallen, into: str) -> Claim:
    drops = claim.drops
    if drops and drops[-1][0] == at:
        drops = (*drops[:-1], (at, drops[-1][1] + fallen.pieces))
    elif len(drops) < _EVIDENCE:
        drops = (*drops, (at, fallen.pieces))
    return replace(claim, fallen=claim.fallen + fallen, drops=drops, into=into or claim.into)
