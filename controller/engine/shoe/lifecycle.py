"""The life of a shoe: loaded and checked, dealt hand by hand, cut card, last hand, over.

After every hand the cards that left are entered: how many, how often each, which were shown in which order. From that
alone come the *doubts* of a shoe: more copies of a card than its decks hold, a count that contradicts what the shuffler
or the shoe itself reported, an order that chance does not give. A doubt is an alarm with its evidence as long as the
shoe is in play; names of cards appear in it only where everybody has seen the card.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from controller.engine.alarms import ShoeDoubt
from controller.engine.cards.card import CARDS, Audience, Slot
from controller.engine.round.game import HistoryEntry
from controller.engine.shoe.packs import Pack
from controller.engine.shoe.shoe import Doubt, Shoe
from controller.engine.shoe.shuffle_watch import EARLIER_SHOES, FALSE_ALARMS_IN, evidence, places, watched

WORTH_KEEPING = 26
"""Cards a shoe must have shown for a later one to be compared with it."""

SUSPECTED = {
    "new_deck_order": "the cards come in the order of a new deck",
    "new_deck_order_reversed": "the cards come in the order of a new deck, backwards",
    "repeats_itself": "the shoe repeats itself",
    "repeats_earlier_shoe": "the cards come as in an earlier shoe",
}


def loaded(number: int, decks: int | None, cards: int | None, wanted: int | None, pack: Pack | None) -> Shoe:
    """A shoe as it is loaded: the decks counted against what the rules require, its cards against the pack's."""
    shoe = Shoe(number, decks, cards=cards)
    if None not in (decks, wanted) and decks != wanted:
        text = f"{decks} decks are in the shoe, {wanted} belong there"
        return replace(shoe, unfit=text, doubts={"deck_count": Doubt(text, {"decks": decks, "wanted": wanted})})
    return shoe if pack is None else filled_with(shoe, pack)


def filled_with(shoe: Shoe, pack: Pack) -> Shoe:
    """A shoe whose cards are this pack: both counted the same, or one is wrong."""
    if None in (pack.cards, shoe.cards) or pack.cards == shoe.cards:
        return shoe
    text = f"{pack.cards} cards were shuffled and counted, {shoe.cards} were put into the shoe"
    return _doubted(shoe, "card_count", Doubt(text, {"pack": pack.cards, "shoe": shoe.cards}))


def cut_card(shoe: Shoe, dealing: bool, after: tuple[int, int]) -> Shoe:
    """The cut card is out: `after` are the hands that follow the running one, or that follow where none is running."""
    return replace(shoe, cut_card=True, hands_left=1 + after[0] if dealing else after[1])


def emptied(shoe: Shoe, pack: Pack | None, belong: int | None) -> Shoe:
    """The last card has left: the number of cards must be the one that was counted."""
    counted = belong if pack is None or pack.cards is None else pack.cards
    ended = replace(shoe, cut_card=True, hands_left=0)
    if counted is None or shoe.drawn == counted:
        return ended
    text = f"the shoe is empty after {shoe.drawn} cards; {counted} were shuffled and counted"
    return _doubted(ended, "card_count", Doubt(text, {"drawn": shoe.drawn, "counted": counted}))


def dealt(
    shoe: Shoe,
    left: Sequence[Slot],
    entry: HistoryEntry | None,
    *,
    out: dict[str, int],
    round: int,
    deck: dict[str, int] | None,
    earlier: tuple[str, ...],
    pack: Pack | None,
) -> Shoe:
    """The shoe after a hand, whose cards left it in this order."""
    faces: list[str | None] = [slot.face_if_exposed for slot in left]
    done = replace(
        shoe,
        history=shoe.history if entry is None else (*shoe.history, entry),
        out=out,
        hands_left=shoe.hands_left - 1 if shoe.cut_card else 0,
        drawn=shoe.drawn + len(left),
        since_hand=(),
        hands=(*shoe.hands, (round, shoe.drawn)),
        watch=shoe.watch if deck is None else watched(shoe.watch, faces, deck, earlier),
    )
    if deck is None:
        return done
    too_many = [
        _too_many(done, slot, deck, round)
        for slot in left
        if slot.is_read and out.get(slot.card.code, 0) > deck.get(slot.card.code, 0)
    ]
    if too_many:
        done = _doubted(done, "composition", _together(too_many))
    if done.watch.alarm and not shoe.watch.alarm:
        done = _doubted(done, "unshuffled", _unshuffled(done, deck, earlier))
    if pack is not None and pack.cards is not None and done.drawn > pack.cards >= shoe.drawn:
        text = f"{done.drawn} cards have left the shoe; {pack.cards} were shuffled and counted"
        done = _doubted(done, "card_count", Doubt(text, {"drawn": done.drawn, "counted": pack.cards}))
    return done


def burned(shoe: Shoe, code: str | None, *, round: int, deck: dict[str, int] | None, earlier: tuple[str, ...]) -> Shoe:
    """The shoe after a card was burned from it, face down, between round `round` and the next."""
    slot = Slot(None if code is None else CARDS.get(code), Audience.NOBODY)
    out = shoe.out if code is None or deck is None else {**shoe.out, code: shoe.out.get(code, 0) + 1}
    after = dealt(shoe, (slot,), None, out=out, round=round, deck=deck, earlier=earlier, pack=None)
    return replace(after, hands=shoe.hands, hands_left=shoe.hands_left, since_hand=(*shoe.since_hand, code))


def kept(earlier: tuple[str, ...], shoe: Shoe) -> tuple[str, ...]:
    """The shown cards of earlier shoes, this one first."""
    if len(shoe.watch.seen) < WORTH_KEEPING:
        return earlier
    return (shoe.watch.seen, *earlier)[:EARLIER_SHOES]


def _too_many(shoe: Shoe, slot: Slot, deck: dict[str, int], round: int) -> Doubt:
    """One more copy than the decks hold. Only a card that everybody has seen is named, and where its copies were."""
    holds = deck.get(slot.card.code, 0)
    face = slot.face_if_exposed
    if face is None:
        text = f"a card that was not shown in round {round} is one more than the decks hold; the journal names it"
        return Doubt(text, {"round": round, "decks_hold": holds})
    where = [shoe.place(nth) for nth in places(shoe.watch, face)]
    text = f"{shoe.out[face]} of {face} have left the shoe, the decks hold {holds}: {'; '.join(where)}"
    return Doubt(text, {"card": face, "out": shoe.out[face], "decks_hold": holds, "where": where})


def _unshuffled(shoe: Shoe, deck: dict[str, int], earlier: tuple[str, ...]) -> Doubt:
    found = evidence(shoe.watch, deck, earlier)
    text = (
        f"{SUSPECTED[shoe.watch.alarm]}: {found.hits} of {found.pairs} shown neighbours fit, chance gives about "
        f"{found.by_chance}; a shuffled shoe looks so once in {FALSE_ALARMS_IN:,}"
    )
    first, last = shoe.hands[0][0], shoe.hands[-1][0]
    facts = {
        "suspicion": shoe.watch.alarm,
        "hits": found.hits,
        "pairs": found.pairs,
        "by_chance": found.by_chance,
        "rounds": [first, last],
    }
    return Doubt(text, facts)


def _together(doubts: Sequence[Doubt]) -> Doubt:
    """What is doubtful about the cards of one hand, each card once."""
    first, *others = {doubt.text: doubt for doubt in doubts}.values()
    if not others:
        return first
    text = "; and ".join(doubt.text for doubt in (first, *others))
    return Doubt(text, {**first.facts, "also": [doubt.facts for doubt in others]})


def _doubted(shoe: Shoe, name: ShoeDoubt, doubt: Doubt) -> Shoe:
    """The latest evidence of each kind: who has accepted what was found before has not seen this."""
    return replace(shoe, doubts={**shoe.doubts, name: doubt})
