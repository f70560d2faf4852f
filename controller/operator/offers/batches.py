"""Several acts in one touch: cards face down to everybody, one answer of every seat, the bets of the last hand.

Each batch is an offer whose slip has one act after the other; every act is an entry of its own in the journal. Which
acts they are is found by trying them beside the table (`trial.py`), and the table does all of them or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.want import title
from controller.engine.expect.wants import AnyWant, WantCard, WantReveal, WantWagers
from controller.engine.inputs import Act, AnyBody, CardOut, Place, StackOut, WagerPlaced, kind_of, place_of, seat_of
from controller.engine.table.engine import TableEngine
from controller.engine.table.slips import last_slip, not_to_be_taken_back
from controller.operator.moments import moment_of
from controller.operator.offers.offer import Ask, Offer
from controller.operator.roles import Right
from controller.operator.slips import MOST_ACTS
from controller.operator.trial import Trial

_PASSIVE = ("check", "call")
"""What a seat does that goes along: the batch takes whichever of them a seat has."""
_ALIKE = ("bet4x", "bet3x", "bet2x", "bet1x", "play", "raise", "stand")
"""Answers of one fixed amount that every seat may give alike."""


def batched(engine: TableEngine[Any], offers: tuple[Offer, ...], *, keys_cards: bool) -> tuple[Offer, ...]:
    """These offers, with what can be done together: the batches stand before the single acts."""
    wants = tuple(engine.expectation.wants)
    if not wants or any(offer.right is not Right.DEAL for offer in offers):
        return offers
    together: list[Offer] = []
    for want in wants:
        match want:
            case WantCard() if keys_cards and not want.face_up and _stands_alone(wants):
                together += _face_down(engine, want)
            case WantWagers():
                together += _same_bets(engine, want)
                offers = tuple(_named(engine, offer) for offer in offers)
    if isinstance(wants[0], WantDecision):
        together += _everyone(engine, wants[0])
        offers = tuple(_with_shown_hands(engine, offers)) if keys_cards else offers
    return (*together, *offers)


def _stands_alone(wants: Sequence[AnyWant]) -> bool:
    """One card is waited for, and beside it at most wagers, which end with it."""
    cards = [want for want in wants if isinstance(want, WantCard)]
    return len(cards) == 1 and all(isinstance(want, WantCard | WantWagers) for want in wants)


def taking_back(engine: TableEngine[Any]) -> Iterator[Offer]:
    """The last slip of a running round, where it may be taken back; whose it is decides the table."""
    if not engine.is_dealing:
        return
    inputs = engine.played.inputs
    slip = last_slip(inputs)
    if slip and slip[0] and not_to_be_taken_back(inputs, slip[0], inputs[slip[0]].by) is None:
        what = _done(inputs[slip[0]].body) if len(slip) == 1 else f"{len(slip)} acts"
        body = {"kind": "take_back", "round": engine.round_number, "first": slip[0]}
        yield Offer("take_back", f"Take back: {what}", Right.DEAL, body, "undo")


def _done(body: AnyBody) -> str:
    match body:
        case Act():
            return f"{title(str(body.seat))}: {body.do.replace('_', ' ')}"
        case WagerPlaced():
            return f"{title(str(body.place))}, {body.wager.replace('_', ' ')} {dollars(body.cents)}"
        case CardOut():
            return "a card face down"
        case StackOut():
            return f"{len(body.cards)} cards face down"
    return kind_of(body).replace("_", " ")


def _face_down(engine: TableEngine[Any], want: WantCard) -> Iterator[Offer]:
    """Every card that goes out face down now; or a burn card with the card after it, which is keyed."""
    trial, acts = Trial(engine), list[dict[str, Any]]()
    owners: set[str] = set()
    next_want: AnyWant | None = want
    while isinstance(next_want, WantCard) and not next_want.face_up and len(acts) < MOST_ACTS:
        act = _unread(next_want)
        if not trial.do(act):
            return
        acts.append(act)
        owners.add(next_want.to)
        next_want = trial.only_want
    moment = moment_of(engine, want, acts[0])
    if len(acts) > 1:
        cards = sum(len(act.get("cards", "1")) for act in acts)
        label = f"{'Dealt to all: ' if len(owners) > 1 else ''}{cards} {want.piece}s face down"
        yield Offer("deal_all", label, Right.DEAL, acts[0], after=tuple(acts[1:]), moment=moment)
    elif isinstance(next_want, WantCard) and next_want.face_up:
        where = next_want.says or title(next_want.to)
        ask = Ask("card", "card", f"{title(want.to).capitalize()} and {where}, {next_want.piece} {next_want.nth}")
        body = {"kind": "card_out"}
        label = f"Key the {next_want.piece} after it: {where}"
        yield Offer("card_after", label, Right.DEAL, body, asks=(ask,), before=tuple(acts), moment=moment)


def _unread(want: WantCard) -> dict[str, Any]:
    if want.count == 1:
        return {"kind": "card_out", "card": None}
    return {"kind": "stack_out", "cards": [None] * want.count}


def _everyone(engine: TableEngine[Any], want: WantDecision) -> Iterator[Offer]:
    """One answer of every seat that is asked, in turn."""
    names = {choice.do for choice in want.choices if _is_plain(choice)}
    if names & set(_PASSIVE):
        yield from _alike(engine, want, _PASSIVE)
    for do in _ALIKE:
        if do in names:
            yield from _alike(engine, want, (do,))


def _alike(engine: TableEngine[Any], want: WantDecision, dos: Sequence[str]) -> Iterator[Offer]:
    trial, acts, answered = Trial(engine), list[dict[str, Any]](), list[WantDecision]()
    asked: WantDecision | None = want
    while asked is not None and len(acts) < MOST_ACTS and asked.who not in [other.who for other in answered]:
        choice = next((choice for do in dos for choice in asked.choices if choice.do == do and _is_plain(choice)), None)
        if choice is None:
            break
        act = {"kind": "act", "seat": asked.seat, "do": choice.do}
        if not trial.do(act):
            break
        acts.append(act)
        answered.append(asked)
        asked = next((other for other in trial.wants if isinstance(other, WantDecision) and not other.quiet), None)
    if len(acts) > 1:
        said = [_said(asked, act["do"]) for asked, act in zip(answered, acts, strict=True)]
        label = f"All: {said[0]}" if len(set(said)) == 1 else "All go along: " + ", ".join(dict.fromkeys(said))
        id = f"everyone:{acts[0]['do']}"
        moment = moment_of(engine, want, acts[0])
        yield Offer(id, f"{label} ({len(acts)} seats)", Right.DEAL, acts[0], after=tuple(acts[1:]), moment=moment)


def _said(want: WantDecision, do: str) -> str:
    choice = next(choice for choice in want.choices if choice.do == do)
    text = choice.said().replace("_", " ")
    return text + (f" {dollars(choice.cents)}" if choice.cents is not None and not choice.label else "")


def _is_plain(choice: Choice) -> bool:
    """Nothing else must be named with it."""
    asks = choice.max_cents is not None or choice.count is not None or choice.piles > 0 or choice.melds is not None
    has_range = choice.to is not None and not choice.to_one_of
    return not asks and not has_range and len(choice.to_one_of) < 2


def _with_shown_hands(engine: TableEngine[Any], offers: tuple[Offer, ...]) -> Iterator[Offer]:
    """To show a hand is to key it: the first card is keyed with the act."""
    for offer in offers:
        yield offer
        if offer.body.get("do") == "show" and not offer.asks:
            trial = Trial(engine)
            wants = trial.wants if trial.do(offer.body) else ()
            wanted = next((want for want in wants if isinstance(want, WantReveal)), None)
            if wanted is not None and not wanted.asks:
                body = {"kind": "reveal", "owner": wanted.owner}
                ask = Ask("cards", "cards", f"{offer.under} shows", 1, wanted.count)
                id = f"{offer.id}:keyed"
                label = "Key the hand"
                yield replace(offer, id=id, label=label, body=body, asks=(ask,), before=(offer.body,))


def _same_bets(engine: TableEngine[Any], want: WantWagers) -> Iterator[Offer]:
    """The wagers of the last hand, of the seats that take part again; the player-dealer's money is counted anew."""
    if want.book or engine.last is None or not want.rules:
        return
    book: dict[tuple[Place, str], int] = {}
    for value in engine.last.inputs:
        if isinstance(value.body, WagerPlaced):
            book[place_of(value.body.place), value.body.wager] = value.body.cents
    known = {rule.id for rule in want.rules}
    acts: list[dict[str, Any]] = [
        {"kind": "wager", "place": place, "wager": wager, "cents": cents}
        for (place, wager), cents in book.items()
        if cents and wager in known and (not want.seats or seat_of(place) in want.seats)
    ]
    trial = Trial(engine)
    if not acts or len(acts) >= MOST_ACTS or not all(map(trial.do, acts)):
        return
    seats = len({seat_of(act["place"]) for act in acts})
    total = dollars(sum(act["cents"] for act in acts))
    label = f"Same bets as last hand: {total}, {seats} seat" + ("s" if seats > 1 else "")
    closing: dict[str, Any] = {"kind": "close_bets"}
    moment = moment_of(engine, want, closing)
    yield Offer("same_bets", label, Right.DEAL, acts[0], after=tuple(acts[1:]), moment=moment)
    if _goes_back(trial, closing) == "":
        after = (*acts[1:], closing)
        yield Offer("same_bets_closed", "Same bets, no more bets", Right.DEAL, acts[0], after=after, moment=moment)


def _named(engine: TableEngine[Any], offer: Offer) -> Offer:
    """Before the bets are closed: which wagers would have no part in the hand, and go back."""
    if offer.id != "close_bets":
        return offer
    text = _goes_back(Trial(engine), offer.body)
    return replace(offer, sure=f"{text} Close the bets all the same?") if text else offer


def _goes_back(trial: Trial, closing: dict[str, Any]) -> str:
    before = len(trial.events)
    trial.do(closing)
    events = trial.events[before:]
    back: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, ev.WagerSet) and event.cents == 0:
            back.setdefault(title(str(event.place)), []).append(event.wager.replace("_", " "))
    text = "; ".join(f"{seat}: {' and '.join(wagers)} alone" for seat, wagers in back.items())
    is_void = any(isinstance(event, ev.RoundVoided) for event in events)
    if not text and not is_void:
        return ""
    what = "The hand would be void." if is_void else "Such a wager goes back."
    return f"{text}. {what}" if text else what
