"""A drop box at the table: put in, identified, weighed, taken out, counted.

What is in a box is added up when it is taken out, by anybody and for any reason; the count room's figure is compared
with that later. A box that comes back goes on where it was. What a round that is not judged yet owes, and
nothing has fallen for, goes over to the next box.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.drop.books import Book, Gone, LastCount, pieces
from controller.engine.drop.reconcile import Reckoner
from controller.engine.drop.worth import DropTerms, Fallen, weighed, weights_known, worth
from controller.engine.inputs import SensorSeen

_GONE = 64
"""Boxes that are remembered until they are counted."""


def seen(reckoner: Reckoner, body: SensorSeen) -> None:
    """What a sensor reported, in the books."""
    box, facts = body.box, body.facts
    if box not in reckoner.books:
        reckoner.books[box] = _first(body.mark, reckoner.now)
    match body.what:
        case "dropped":
            reckoner.fell(box, _fallen(body))
        case "box_removed":
            _removed(reckoner, box)
        case "box_placed":
            tag = facts.get("box_id") or ""
            if facts.get("times_removed") or tag != reckoner.books[box].id:
                # Taken out and put back, or exchanged, between two readings.
                _removed(reckoner, box)
            _placed(reckoner, box, tag)
        case "sensor_reset" | "count_doubtful":
            reckoner.doubted(box, body.what)
        case "weighed":
            _weighed(reckoner, box, facts.get("grams", 0), facts.get("was"), facts.get("drops", 0))


def bounds(terms: DropTerms, body: SensorSeen) -> tuple[int | None, int | None]:
    """What the pieces that fell can be worth, where that is known."""
    if not body.count or (body.cents is None and not terms.chips):
        return None, None
    found = worth(_fallen(body), terms.chips)
    return found.low, found.high


def keyed(reckoner: Reckoner, box: str, id_: str, seal: str, by: str) -> ev.Refused | None:
    """Somebody keyed or scanned id and seal of a box: the one in the slot, or one that is about to be put in."""
    book = reckoner.books.get(box)
    if book is None:
        return ev.Refused("box_keyed", "no_such_box", f"no sensor watches a {box} box at this table")
    if not id_:
        return ev.Refused("box_keyed", "no_id", "which box is it? Key or scan its id")
    comes = book.is_out or (book.id not in ("", id_))
    if comes:
        book = replace(book, announced=id_, announced_seal=seal)
    else:
        lacks_seal = reckoner.terms.seals and not (seal or book.seal)
        book = replace(book, id=id_, seal=seal or book.seal, unkeyed=lacks_seal)
    reckoner.books[box] = book
    reckoner.events.append(ev.BoxIdentified(box, id_, by, seal, comes))
    return None


def counted(reckoner: Reckoner, id_: str, cents: int, by: str) -> ev.Refused | None:
    """The count room counted a box: the one figure that is money and not pieces."""
    gone = reckoner.gone.pop(id_, None)
    if gone is None:
        there = ", ".join(sorted(reckoner.gone)) or "none"
        text = f"no box {id_} was taken from this table and waits to be counted; there is {there}"
        return ev.Refused("box_counted", "no_such_box", text)
    book, terms = gone.book, reckoner.terms
    reckoner.counted[gone.box] = LastCount(id_, cents, book.due, reckoner.now)
    bounds = book.holds(terms)
    difference = cents - book.due
    what = "matched" if abs(difference) <= terms.tolerance else "short" if difference < 0 else "over"
    seen_otherwise = cents < bounds.low or (bounds.high is not None and cents > bounds.high)
    reckoner.events.append(
        ev.BoxCounted(
            gone.box,
            id_,
            cents,
            book.due,
            difference,
            what,
            by,
            book.fallen.pieces,
            bounds.low,
            bounds.high,
            seen_otherwise,
            book.seal,
        )
    )
    return None


def _fallen(body: SensorSeen) -> Fallen:
    return Fallen(body.count) if body.cents is None else Fallen(body.count, body.count, body.cents)


def _first(mark: dict[str, Any], now: int) -> Book:
    """A slot that was never met: what the box in it holds by now is not known."""
    return Book(id=mark.get("box_id") or "", since=now, is_out=not mark.get("box_present", True))


def _removed(reckoner: Reckoner, box: str) -> None:
    book, now = reckoner.books[box], reckoner.now
    if book.is_out:
        return
    name = book.id or f"{box}@{now}"
    bounds = book.holds(reckoner.terms)
    if reckoner.is_dealing:
        text = f"the {box} box was taken out while a round was running"
        reckoner.events.append(ev.Irregularity("box_pulled_in_play", text, {"box": box, "box_id": name}))
    reckoner.events.append(
        ev.BoxReckoned(
            box,
            name,
            book.due,
            book.fallen.pieces,
            bounds.low,
            bounds.high,
            book.since,
            book.short,
            book.seal,
            book.astray,
            book.doubts,
            reckoner.running(box),
        )
    )
    reckoner.books[box] = replace(book, is_out=True)
    reckoner.gone[name] = Gone(box, book, now)
    for oldest in list(reckoner.gone)[:-_GONE]:
        del reckoner.gone[oldest]


def _placed(reckoner: Reckoner, box: str, tag: str) -> None:
    old = reckoner.books[box]
    if tag and tag == old.id:
        reckoner.books[box] = replace(old, is_out=False)
        reckoner.gone.pop(tag, None)
        return
    moved = tuple(claim for claim in old.claims if not claim.verdict and not claim.fallen.pieces)
    owed = sum(claim.due for claim in moved)
    left = next(
        (name for name, gone in reckoner.gone.items() if gone.box == box and gone.book.since == old.since), None
    )
    if left is not None:
        gone = reckoner.gone[left]
        reckoner.gone[left] = replace(gone, book=replace(old, due=old.due - owed, claims=(), judged=(), loose=()))
    as_announced = old.announced and tag in ("", old.announced)
    seal = old.announced_seal if as_announced else ""
    id_ = tag or old.announced
    # What fits a claim already is judged with it; the pieces are in the box that went.
    stay = tuple(replace(c, is_moved=True) for c in old.claims if not c.verdict and c.fallen.pieces)
    reckoner.books[box] = Book(
        id=id_,
        seal=seal,
        unkeyed=not id_ or (reckoner.terms.seals and not seal),
        since=reckoner.now,
        due=owed,
        claims=(*stay, *moved),
        judged=old.judged,
        loose=old.loose,
    )
    if old.announced and not as_announced:
        text = f"box {tag} was put into the slot of the {box} box, {old.announced} was announced"
        reckoner.notice("other_box", box, text, Fallen(), announced=old.announced)


def _weighed(reckoner: Reckoner, box: str, grams: int, was: int | None, drops: int) -> None:
    book, terms = reckoner.books[box], reckoner.terms
    narrowed = worth(book.unweighed, terms.chips)
    if was is not None:
        found = weighed(drops, grams - was, terms.chips, terms.scale_g)
        if found is None:
            change = f"{abs(grams - was)} g {'heavier' if grams > was else 'lighter'}"
            text = f"the {box} box became {change} while {pieces(drops)} fell{_weight(drops, reckoner)}"
            reckoner.notice("weight", box, text, Fallen(drops), grams=grams, was=was)
        elif drops == book.unweighed.pieces and not book.unweighed.known:
            narrowed = found
    reckoner.books[box] = replace(reckoner.books[box], weighed=book.weighed + narrowed, unweighed=Fallen())


def _weight(drops: int, reckoner: Reckoner) -> str:
    """What they should weigh."""
    chips = reckoner.terms.chips
    if not drops or not weights_known(chips):
        return ""
    least, most = (pick(chip.milligrams for chip in chips) * drops // 1000 for pick in (min, max))
    return f", which weigh {least} g" if least == most else f", which weigh {least} to {most} g"
