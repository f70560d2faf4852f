"""The console's document: what the display shows, what may be done now, and what the floor may correct.

Nothing in it is secret: the offers come from the public expectation, and of what was put into a round a card is named
only if it is face up where it lies. Any other card is shown without a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, UnsetType

from controller.engine.alarms import JOURNAL, advice
from controller.engine.bank.banking import Banker
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import title
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    CardOut,
    DiceRolled,
    Input,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.table.card_inputs import CardInputs
from controller.engine.table.current_round import Played
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offers import Offer, now, offers
from controller.operator.settling import PayAndTake, pay_and_take

_CORRECTED = (CardOut, StackOut, Revealed, WagerPlaced, BankPosted, DiceRolled, Act)
"""Inputs that the floor may correct; others are facts of the devices."""


class PutIn(Struct, frozen=True, omit_defaults=True):
    """One input of the running or the last round, by its index in the round."""

    index: int
    label: str
    by: str
    body: dict[str, Any]
    """As it was given, unexposed cards left out."""
    hidden: bool = False
    """Cards of it are not named here."""
    instead: tuple[Offer, ...] = ()
    """Of a decision: all that the seat might have done, to correct it by."""


class AlarmView(Struct, frozen=True):
    """An alarm that is raised. The offers with its name in `clears` clear it."""

    name: str
    text: str
    to_do: str
    ends: str
    """It is cleared when ..."""
    acknowledged_by: str = ""


class SeatView(Struct, frozen=True):
    """The wagers of a seat."""

    place: str
    title: str
    wagers: dict[str, int]


class SeatChips(Struct, frozen=True, omit_defaults=True):
    """A seat's chips, in a game of players against each other."""

    bet: int = 0
    """In this betting round."""
    stack: int | None = None
    """What is left behind."""


class ConsoleView(Struct, frozen=True):
    seq: int
    phase: str
    round: int
    view: msgspec.Raw
    """The display's document."""
    offers: tuple[Offer, ...]
    keys_cards: bool
    """No device reads the cards: people key them."""
    waits_for_device: bool
    """The next thing comes from a device."""
    seats: tuple[int, ...]
    player_dealer: int | None
    banker: Banker | None
    """The player-dealer with the bank button: first or second hand; null where the position does not rotate."""
    button: int | None
    book: tuple[SeatView, ...]
    bank: tuple[int, ...] | None
    pay_and_take: PayAndTake | None
    """What the dealer does now that the hand is over."""
    acting: tuple[str, ...]
    """The places that decide now."""
    chips: dict[str, SeatChips]
    """Where players play against each other: what is in front of each seat."""
    rack: tuple[int, ...]
    """What each chip of this table is worth, for the rack; empty: the usual ones."""
    put_in: tuple[PutIn, ...]
    alarms: tuple[AlarmView, ...]
    deck: tuple[str, ...]
    """Every card that this game has, for the pad."""
    closed: bool
    trouble: str | None


def console_document(
    engine: TableEngine[Any], view: bytes, *, keys_cards: bool, trouble: str | None, chips: tuple[int, ...] = ()
) -> bytes:
    """The document as JSON; `view` is the display's. `chips`: what each of the table's is worth."""
    state, current = engine.state, engine.round
    head = msgspec.json.decode(view, type=_Head)
    book = {} if current is None or not current.begun else current.table.book
    deck = engine.game.deck(engine.options)
    wants = engine.expectation.wants
    document = ConsoleView(
        seq=head.seq,
        phase=head.phase,
        round=engine.round_number,
        view=msgspec.Raw(view),
        offers=() if trouble else offers(engine, keys_cards=keys_cards),
        keys_cards=keys_cards,
        waits_for_device=not keys_cards and any(isinstance(want, WantCard) for want in wants),
        seats=state.setup.seats,
        player_dealer=state.setup.player_dealer if engine.game.has_player_dealer else None,
        banker=engine.bank.banker,
        button=state.setup.button,
        book=tuple(SeatView(str(place), title(str(place)), dict(stakes)) for place, stakes in book.items()),
        bank=state.setup.bank if current is None else current.table.bank,
        pay_and_take=pay_and_take(engine, chips),
        acting=tuple(str(want.seat) for want in wants if isinstance(want, WantDecision) and not want.quiet),
        chips={seat: SeatChips(*chips) for seat, chips in _chips(engine).items()},
        rack=chips,
        put_in=put_in(engine),
        alarms=tuple(_alarms(engine, trouble)),
        deck=() if deck is None else tuple(deck),
        closed=state.closed,
        trouble=trouble,
    )
    return _encoder.encode(document)


def _chips(engine: TableEngine[Any]) -> dict[str, tuple[int, int | None]]:
    """Bet and stack of each seat: of the running hand, else as they are set for the next one."""
    current = engine.round
    running = engine.game.chips(current.table) if engine.is_dealing and current is not None else {}
    if running:
        return {str(seat): chips for seat, chips in running.items()}
    stacks = engine.state.setup.settings.get("stacks") or {}
    return {str(seat): (0, cents) for seat, cents in stacks.items()}


def put_in(engine: TableEngine[Any]) -> tuple[PutIn, ...]:
    """What the floor may correct now: the running round, or the last one until the next begins."""
    played = engine.played if engine.is_dealing else engine.last
    if played is None:
        return ()
    moments, exposed = _moments(engine, played)
    is_over, shown = not engine.is_dealing, _shown(engine)

    def is_hidden(index: int, codes: list[str]) -> bool:
        # Cards of a hand that was not shown at the end go to the muck face down, whatever of it was face up.
        return exposed[index] < len(codes) or (is_over and not shown.issuperset(codes))

    return tuple(
        _put_in(index, value, moments[index], is_hidden=is_hidden(index, _codes(value.body)))
        for index, value in enumerate(played.inputs)
        if isinstance(value.body, _CORRECTED)
    )


def _shown(engine: TableEngine[Any]) -> set[str]:
    """The cards in the public result."""
    hands = engine.public_result.get("hands", {}).values()
    return {str(code) for hand in hands for code in _flat(hand) if code is not None}


class _Head(Struct):
    seq: int
    phase: str


_encoder = msgspec.json.Encoder()


def _alarms(engine: TableEngine[Any], trouble: str | None) -> Iterator[AlarmView]:
    """What is wrong, first the journal: while that fails, nothing can be written down about anything else."""
    if trouble is not None:
        name = JOURNAL.of()
        yield AlarmView(name, trouble, advice(name).to_do, advice(name).ends)
    for alarm, text in engine.state.alarms.items():
        life, about = engine.state.alarm_lives.get(alarm), advice(alarm)
        yield AlarmView(alarm, text, about.to_do, about.ends, "" if life is None else life.acknowledged_by)


def _moments(engine: TableEngine[Any], played: Played) -> tuple[list[Expectation], list[int]]:
    """What the table waited for at each input of the round, and how many cards of it are face up now; by running it
    again beside the table."""
    procedures = engine.rules.procedures
    again = TableEngine(engine.game, engine.options, played.began, engine.ruleset, procedures=procedures)
    moments: list[Expectation] = []
    cards = CardInputs()
    for value in played.inputs:
        moments.append(again.expectation)
        before = again.round
        again.apply(value)
        cards.follow(before, again.round)
    return moments, cards.exposed()


def _put_in(index: int, value: Input, moment: Expectation, *, is_hidden: bool) -> PutIn:
    body = value.body
    raw: dict[str, Any] = {k: v for k, v in msgspec.to_builtins(body).items() if not isinstance(v, UnsetType)}
    if is_hidden:
        for field in ("card", "cards", "front"):
            raw.pop(field, None)
    return PutIn(index, _label(body, _place(moment), is_hidden), value.by, raw, is_hidden, _instead(body, moment))


def _place(moment: Expectation) -> str:
    """Where a card went that came then."""
    card = next((want for want in moment.wants if isinstance(want, WantCard)), None)
    return "" if card is None else f"{title(card.to)}, card {card.nth}"


def _instead(body: AnyBody, moment: Expectation) -> tuple[Offer, ...]:
    """What the seat might have done; not what would name cards, which may have been mucked since."""
    if not isinstance(body, Act):
        return ()
    return tuple(
        offer
        for offer in now(moment)
        if offer.body.get("seat") == body.seat and all(ask.kind in ("cents", "pick") for ask in offer.asks)
    )


def _label(body: AnyBody, place: str, hidden: bool) -> str:
    match body:
        case CardOut():
            what = "face down" if hidden else body.card or "not read"
            return f"{place or 'Card'}: {what}"
        case StackOut():
            return f"{place.partition(',')[0] or 'Cards'}: {len(body.cards)} cards"
        case Revealed():
            return f"{title(body.owner)} named: " + ("face down" if hidden else " ".join(body.cards))
        case WagerPlaced():
            return f"{title(str(body.place))}, {_words(body.wager)}: {_money(body.cents)}"
        case BankPosted():
            return "Player-dealer's money: " + ", ".join(map(_money, body.spots))
        case DiceRolled():
            return "Dice: " + " ".join(map(str, body.values))
        case Act():
            amount = body.to if body.to is not None else body.cents
            return f"{title(str(body.seat))}: {_words(body.do)}" + ("" if amount is None else f" {_money(amount)}")
    return ""


def _codes(body: AnyBody) -> list[str]:
    match body:
        case CardOut():
            return [] if body.card is None else [body.card]
        case StackOut():
            return [code for code in body.cards if code is not None]
        case Revealed():
            return list(body.cards)
        case Act():
            return [*(body.cards or ()), *(body.front or ())]
    return []


def _flat(hand: Any) -> list[Any]:
    """A hand's cards, also of one that has parts."""
    return [code for part in hand for code in (part if isinstance(part, list | tuple) else (part,))]


def _words(code: str) -> str:
    return code.replace("_", " ")


def _money(cents: int) -> str:
    whole, rest = divmod(cents, 100)
    return f"${whole:,}" + (f".{rest:02}" if rest else "")
