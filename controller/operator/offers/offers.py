"""What a person may do now, as a menu: the expectation as buttons.

The dealer's console and the key panel paint these offers and know no game. An `Offer` is an input with holes: `body` is
what will be sent, each `Ask` describes one field of it and its bounds. Everything here comes from
the engine's expectation, its table and the roles; an offer is a convenience, the engine still checks what is
sent.

    >>> from controller.engine.expect.choices import Choice, WantDecision
    >>> from controller.engine.expect.expectation import Expectation
    >>> seat_3 = WantDecision(3, (Choice("call", to_one_of=(200,)), Choice("raise", to=(400, 900))))
    >>> for offer in now(Expectation((seat_3,))):
    ...     print(offer.label, offer.body, [ask.field for ask in offer.asks])
    Call $2 {'kind': 'act', 'seat': 3, 'do': 'call'} []
    Raise {'kind': 'act', 'seat': 3, 'do': 'raise'} ['to']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from controller.engine.alarms import DROP, FLOOR_CALLED, REPLAY_DIFFERS, kind_of
from controller.engine.amounts import dollars
from controller.engine.bets.back_line import open_behind, spots_behind
from controller.engine.bets.limits import UNLIMITED
from controller.engine.bets.wagers import WagerRule
from controller.engine.expect.bank import WantBank
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import title
from controller.engine.expect.wants import (
    WantCard,
    WantDice,
    WantDrop,
    WantFloor,
    WantOpening,
    WantPack,
    WantReveal,
    WantShoe,
    WantWagers,
)
from controller.engine.fees.schedule import Schedule
from controller.engine.inputs import Place
from controller.engine.round.game import Posting
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.operator.moments import moment_of
from controller.operator.offers.bank import bank_offers, passing_on, person_offer
from controller.operator.offers.batches import batched, taking_back
from controller.operator.offers.jackpots import jackpot_offers
from controller.operator.offers.offer import MOST_SEATS, Ask, Group, Offer, Pick
from controller.operator.offers.posting import forced_bet_offers, schedule_offers, setting, structure_offers
from controller.operator.offers.procedures import procedure_offers
from controller.operator.offers.whole_table import whole_table_offers
from controller.operator.roles import Right

__all__ = ["Ask", "Group", "Offer", "Pick", "now", "offers"]


def _bound(engine: TableEngine[Any], keys_cards: bool) -> Iterator[Offer]:
    """What the table asks people for, each with the moment that it is an answer to."""
    for want in engine.expectation.wants:
        for offer in _of(want, keys_cards):
            yield replace(offer, moment=moment_of(engine, want, offer.body))


def now(expectation: Expectation, *, keys_cards: bool = True) -> tuple[Offer, ...]:
    """What the expectation asks people for. `keys_cards`: no device reads the cards, so people key them."""
    return tuple(offer for want in expectation.wants for offer in _of(want, keys_cards))


def offers(engine: TableEngine[Any], *, keys_cards: bool) -> tuple[Offer, ...]:
    """Everything that people may do at this table now, the next thing first."""
    by_hand = _shoe_by_hand(engine) if keys_cards else ()
    asked = batched(engine, tuple(_bound(engine, keys_cards)), keys_cards=keys_cards)
    return (*asked, *by_hand, *_beside(engine))


def _of(want: object, keys_cards: bool) -> Iterator[Offer]:
    match want:
        case WantCard() if keys_cards:
            yield _card(want)
        case WantWagers():
            yield from _wagers(want)
        case WantDecision():
            for choice in want.choices:
                for offer in _decision(want.seat, choice, want.who, want.piece):
                    # What nobody suggests is not among what comes next.
                    yield replace(offer, group="table") if want.quiet else offer
        case WantDice():
            values = Ask("values", "dice", f"{want.count} dice", want.count, want.count)
            yield Offer("dice", "Key the dice", Right.DEAL, {"kind": "dice"}, asks=(values,))
        case WantReveal():
            which = f", {want.piece} {' and '.join(map(str, want.nth))}" if want.nth else ""
            # A table that gives a reason leaves the card face down: nobody may read it off a screen.
            cards = Ask("cards", "cards", f"{title(want.owner)}{which}", 1, want.count, sealed=bool(want.asks))
            body = {"kind": "reveal", "owner": want.owner}
            yield Offer(f"reveal:{want.owner}", want.prompt(), Right.DEAL, body, asks=(cards,))
        case WantDrop():
            yield Offer("fees_in", "The fees are in the box", Right.DEAL, {"kind": "fees_in"})
        case WantPack():
            pack: dict[str, Any] = {"kind": "pack"} | ({} if want.cards is None else {"cards": want.cards})
            yield Offer("pack", "Pack shuffled and counted", Right.SHOE, pack)
        case WantOpening():
            yield Offer("open", "Open the table", Right.OPEN, {"kind": "open_table"})
        case WantBank():
            yield from bank_offers(want)
        case WantFloor():
            yield from _floor(want)


def _card(want: WantCard) -> Offer:
    where = want.says or ("the burn" if want.to == "burn" else title(want.to))
    if not want.face_up:
        # Nobody may look at it: it is named when it is turned up.
        what = "Dealt face down" if want.count == 1 else f"{want.count} {want.piece}s dealt face down"
        body: dict[str, Any] = {"kind": "stack_out", "cards": [None] * want.count}
        return Offer(
            "card", f"{what}: {where}", Right.DEAL, {"kind": "card_out", "card": None} if want.count == 1 else body
        )
    ask = Ask("card", "card", f"{where}, {want.piece} {want.nth}")
    return Offer("card", f"Key the {want.piece}: {where}", Right.DEAL, {"kind": "card_out"}, asks=(ask,))


def _wagers(want: WantWagers) -> Iterator[Offer]:
    if want.may_close:
        yield Offer("close_bets", "No more bets", Right.DEAL, {"kind": "close_bets"})
    if want.rules and want.seats:
        places = Ask("place", "pick", "Which seat", picks=tuple(Pick(seat, f"Seat {seat}") for seat in want.seats))
        kinds = Ask("wager", "pick", "Which wager", picks=tuple(_wager(rule) for rule in want.rules))
        cents = Ask("cents", "cents", "How much", min=0)
        yield Offer("wager", "Wager", Right.DEAL, {"kind": "wager"}, "wagers", asks=(places, kinds, cents))
        yield from _wagers_behind(want)
    if want.bank:
        spots = Ask("spots", "amounts", "The player-dealer's money, by spot", min=0)
        yield Offer("bank", "Player-dealer's money", Right.DEAL, {"kind": "bank"}, "wagers", asks=(spots,))


def _wagers_behind(want: WantWagers) -> Iterator[Offer]:
    """A bettor other than the seated player, where the game takes his wagers."""
    rules = open_behind(want.rules) if want.bank else ()
    if rules:
        spots = (place for seat in want.seats for place in spots_behind(want.book, seat, rules))
        places = Ask("place", "pick", "Which spot", picks=tuple(Pick(place, title(str(place))) for place in spots))
        kinds = Ask("wager", "pick", "Which wager", picks=tuple(_wager(rule) for rule in rules))
        asks = (places, kinds, Ask("cents", "cents", "How much", min=0))
        yield Offer("wager_behind", "Back-line wager", Right.DEAL, {"kind": "wager"}, "wagers", asks=asks)


def _wager(rule: WagerRule) -> Pick:
    return Pick(rule.id, rule.title or _words(rule.id), rule.min, rule.max, rule.step, rule.equals)


def _decision(seat: Place, choice: Choice, under: str, piece: str = "card") -> Iterator[Offer]:
    body: dict[str, Any] = {"kind": "act", "seat": seat, "do": choice.do}
    asks: list[Ask] = []
    label = _words(choice.label or choice.do)
    if choice.cents is not None and not choice.label:
        label += f" {dollars(choice.cents)}"
    if choice.max_cents is not None:
        asks.append(Ask("cents", "cents", label, choice.min_cents or 0, choice.max_cents))
    if len(choice.to_one_of) == 1:
        label = _words(choice.said())
    elif choice.to_one_of:
        asks.append(Ask("to", "pick", label, picks=tuple(Pick(cents, dollars(cents)) for cents in choice.to_one_of)))
    elif choice.to is not None:
        least, most = choice.to
        asks.append(Ask("to", "cents", _words(choice.said()), least, None if most >= UNLIMITED else most))
    if choice.piles:
        piles = tuple(Pick(number, f"Pile {number}") for number in range(1, choice.piles + 1))
        asks.append(Ask("pile", "pick", label, picks=piles))
    if choice.melds is not None:
        asks += _laying(choice, label)
    if choice.count is not None:
        field = "front" if choice.do == "set" else "cards"
        cards = tuple(Pick(code, code) for code in choice.cards)
        # Where nobody may know the cards to choose from, what is keyed is not shown either.
        asks.append(Ask(field, "cards", f"{label}: which {piece}s", *choice.count, picks=cards, sealed=not cards))
    for way in choice.by:
        named = tuple(asks) if choice.by_names else ()
        way_of = f"{label} by the {way} way"
        yield Offer(f"{seat}:{choice.do}:{way}", way_of, Right.DEAL, {**body, "by": way}, under=under, asks=named)
    yield Offer(f"{seat}:{choice.do}", label, Right.DEAL, body, under=under, asks=tuple(asks))


def _laying(choice: Choice, label: str) -> Iterator[Ask]:
    """Which cards are laid, as a new meld or onto one that is there; everybody sees what is laid."""
    lying = sum(map(len, choice.board))
    if choice.board:
        melds = tuple(Pick(number, " ".join(meld)) for number, meld in enumerate(choice.board, start=1))
        yield Ask("facts.onto", "pick", f"{label}: where", picks=(Pick(None, "A new meld"), *melds))
    _, most = choice.laid or (0, 0)
    yield Ask("cards", "cards", f"{label}: which cards", 1, max(1, most - lying))


_REASON = Ask("reason", "text", "Why")
_FLOOR_LABELS = {
    "resume": "Resume",
    "use_next": "Play the stray cards next",
    "void": "Void the round",
    "hold": "Hold the table",
    "waive": "Waive the fees of this hand",
}


def _floor(want: WantFloor) -> Iterator[Offer]:
    differs = want.code == REPLAY_DIFFERS.of()
    clears = (REPLAY_DIFFERS.of(),) if differs else ()
    # What was wagered in a round that cannot be re-run is not known.
    goes_back = "Its wagers and fees are not known: settle it by the house rules." if differs else "All wagers go back."
    for do in want.choices:
        right = Right.VOID if do == "void" else Right.HOLD
        label, sure = _FLOOR_LABELS.get(do, _words(do)), f"{goes_back} Void the round?" if do == "void" else ""
        asks: tuple[Ask, ...] = (_REASON,)
        if want.names_seat(do):
            asks = (Ask("seat", "pick", "Which position", picks=_seats(want.seats)), _REASON)
        body = {"kind": "floor", "do": do}
        yield Offer(f"floor:{do}", label, right, body, "floor", asks=asks, sure=sure, clears=clears)
    if want.happenings:
        codes = tuple(Pick(code, _words(code)) for code in want.happenings)
        ask = Ask("code", "pick", "What happened", picks=codes)
        yield Offer("ruling", "It was something else", Right.HOLD, {"kind": "happening"}, "floor", asks=(ask,))


def _beside(engine: TableEngine[Any]) -> Iterator[Offer]:
    """What may be done whatever the table waits for."""
    yield from taking_back(engine)
    expectation = engine.expectation
    held = any(isinstance(want, WantFloor) for want in expectation.wants)
    if engine.is_dealing:
        yield from _calling(engine)
    if engine.is_dealing and not held:
        body = {"kind": "happening", "code": "dealer_stops"}
        yield Offer("stop", "Stop the game", Right.DEAL, body, "floor", sure=_STOPS)
        yield from _trouble(expectation.at_any_time.ruled, engine.state.setup.seats)
    if engine.is_dealing:
        # A held table is held already, and offers void by itself.
        beside = (do for do in expectation.at_any_time.floor if not held or do == "waive")
        yield from _floor(WantFloor("", "", tuple(beside)))
    else:
        yield from _between_rounds(engine)
        yield from _calling(engine)
    yield from procedure_offers(engine)
    yield from _alarms(engine)
    yield from _drop_boxes(engine)
    yield from jackpot_offers(engine)
    if not engine.state.closed:
        shut = {"kind": "close_table"}
        yield Offer(
            "close_table", "Close the table", Right.OPEN, shut, "table", asks=(_REASON,), sure="Close the table?"
        )


_STOPS = "The table is held until the floor lifts it. To call the floor and play on: Call the floor. Stop the game?"


def _calling(engine: TableEngine[Any]) -> Iterator[Offer]:
    """The floor is called, or the call is over. It holds nothing."""
    name = FLOOR_CALLED.of()
    if name in engine.state.alarms:
        over = {"kind": "call_floor", "is_over": True}
        yield Offer("call_over", "The floor was here", Right.DEAL, over, "floor", clears=(name,))
    else:
        yield Offer("call_floor", "Call the floor", Right.DEAL, {"kind": "call_floor"}, "floor")


def _shoe_by_hand(engine: TableEngine[Any]) -> Iterator[Offer]:
    """What a reading shoe reports by itself; without one the dealer keys it."""
    shoe = engine.state.shoe
    if not engine.game.uses_shoe or shoe is None or shoe.is_over or shoe.unfit:
        return
    if not shoe.cut_card:
        yield Offer("cut_card", "The cut card is out", Right.DEAL, {"kind": "cut_card"}, "table")
    empty = {"kind": "happening", "code": "shoe_empty"}
    yield Offer("shoe_empty", "The shoe is empty", Right.DEAL, empty, "table", sure="Not a card is left in the shoe?")


def _alarms(engine: TableEngine[Any]) -> Iterator[Offer]:
    """Each alarm is acknowledged; some are cleared by what the floor states."""
    for alarm, text in engine.state.alarms.items():
        life, kind = engine.state.alarm_lives.get(alarm), kind_of(alarm)
        if life is not None and not life.acknowledged_by:
            seen = {"kind": "acknowledge", "alarm": alarm}
            yield Offer(f"seen:{alarm}", f"Seen to: {text}", Right.ACKNOWLEDGE, seen, "alarms")
        if kind is not None and "explain_alarm" in kind.acts:
            explain = {"kind": "explain_alarm", "alarm": alarm}
            found = Ask("reason", "text", "What was found")
            label = f"Clear: {text}"
            yield Offer(
                f"explain_alarm:{alarm}", label, Right.EXPLAIN, explain, "alarms", asks=(found,), clears=(alarm,)
            )


def _drop_boxes(engine: TableEngine[Any]) -> Iterator[Offer]:
    """Which box is in, what the count room found, what became of a difference."""
    drop = engine.state.drop
    reason = Ask("reason", "text", "What became of it")
    for box, book in drop.books.items():
        under = f"{_words(box)} box"
        if book.unexplained is not None:
            explain = {"kind": "explain_drop", "box": box}
            label, clears = "Explain the drop", (DROP.of(box),)
            yield Offer(f"explain:{box}", label, Right.DROP, explain, "floor", under, (reason,), clears=clears)
        asks = (Ask("id", "code", "Id of the box", given=book.id), Ask("seal", "code", "Its seal", given=book.seal))
        key = {"kind": "box_keyed", "box": box}
        keyed = (DROP.of(box),) if book.unkeyed else ()
        yield Offer(f"box:{box}", "Key the box", Right.DROP, key, "table", under, asks, clears=keyed)
    if drop.gone:
        ids = Ask("id", "pick", "Which box", picks=tuple(Pick(name, name) for name in drop.gone))
        cents = Ask("cents", "cents", "Counted", min=0)
        counted = {"kind": "box_counted"}
        yield Offer("box_counted", "Box counted", Right.DROP, counted, "table", asks=(ids, cents))


def _trouble(ruled: Sequence[str], seats: Sequence[int]) -> Iterator[Offer]:
    codes = tuple(Pick(code, _words(code)) for code in ruled)
    if codes:
        asks = (
            Ask("code", "pick", "What happened", picks=codes),
            Ask("seat", "pick", "To whom", picks=(Pick(None, "Nobody"), *_seats(seats))),
        )
        yield Offer("happening", "Something went wrong", Right.DEAL, {"kind": "happening"}, "floor", asks=asks)


def _between_rounds(engine: TableEngine[Any]) -> Iterator[Offer]:
    setup, game = engine.state.setup, engine.game
    if game.uses_shoe:
        decks = getattr(engine.options, "decks", None)
        body: dict[str, Any] = {"kind": "shoe_started"} | ({"decks": decks} if isinstance(decks, int) else {})
        waits = any(isinstance(want, WantShoe) for want in engine.expectation.wants)
        sure = "" if waits else "The old shoe ends here. Start a new one?"
        kinds = {alarm: kind_of(alarm) for alarm in engine.state.alarms}
        clears = tuple(alarm for alarm, kind in kinds.items() if kind is not None and "shoe_started" in kind.acts)
        group: Group = "now" if waits else "table"
        label = "New shoe, shuffled and counted"
        yield Offer("new_shoe", label, Right.SHOE, body, group, sure=sure, clears=clears)
    yield from whole_table_offers(engine)
    every = _seats(range(1, max((MOST_SEATS, *setup.seats)) + 1))
    seats = Ask("seats", "seats", "Who plays", picks=every, given=list(setup.seats))
    yield Offer("seats", "Seats", Right.SEAT, {"kind": "table_set"}, "table", asks=(seats,))
    posted = game.floor_sets()
    yield from schedule_offers(engine)
    if game.has_player_dealer:
        yield from _player_dealer(engine, every)
    for name in posted:
        if name == "kill":
            yield from _kill(engine)
        elif name not in ("missed_blind", "waits") or getattr(engine.options, "blind_rules", None):
            yield from _posted(name, setup, "button" in posted, engine.rules.schedule)


def _player_dealer(engine: TableEngine[Any], every: tuple[Pick, ...]) -> Iterator[Offer]:
    """The position passed on before it is due, set by the floor past the offer, and who sits where."""
    setup, offer = engine.state.setup, engine.bank.offer
    if offer is not None and offer.offered and not offer.is_due:
        yield passing_on(offer)
    nobody = Pick(None, "Nobody")
    dealer = Ask("player_dealer", "pick", "Player-dealer", picks=(nobody, *every), given=setup.player_dealer)
    right = Right.SEAT if offer is None else Right.HOLD
    yield Offer("player_dealer", "Set the player-dealer", right, {"kind": "table_set"}, "table", asks=(dealer,))
    if offer is not None:
        seats = {*setup.seats, *(() if setup.player_dealer is None else (setup.player_dealer,))}
        squares = [place for place in offer.offered if isinstance(place, str)]
        yield person_offer([*sorted(seats or range(1, MOST_SEATS + 1)), *squares])


def _kill(engine: TableEngine[Any]) -> Iterator[Offer]:
    """A kill that is due, with its blind, where nothing moves on by itself."""
    setup = engine.state.setup
    kills = () if setup.settings.get("button_moves") else engine.game.kills(setup, engine.options)
    if kills:
        picks = tuple(Pick(settings, label) for label, settings in kills)
        yield setting("kill", "Kill", Ask("settings", "pick", "Who kills the next hand", picks=picks))


def _posted(name: Posting, setup: Setup, has_button: bool, schedule: Schedule | None) -> Iterator[Offer]:
    """What is posted at a table whose players play against each other."""
    settings, taking = setup.settings, _seats(setup.seats)
    match name:
        case "button_moves":
            yield from _moving(setup, has_button)
        case "button":
            ask = Ask("button", "pick", "Button", picks=taking, given=setup.button)
            yield setting(name, "Button", ask)
        case "first_player" | "deal_from":
            picks = (Pick(None, "First deal of a session" if name == "first_player" else "By the seats"), *taking)
            label = "First player" if name == "first_player" else "Dealt first"
            yield setting(name, label, Ask(f"settings.{name}", "pick", label, picks=picks, given=settings.get(name)))
        case "blinds" | "antes" | "stacks":
            given = {str(seat): cents for seat, cents in (settings.get(name) or {}).items()}
            ask = Ask(f"settings.{name}", "by_seat", _words(name), min=0, picks=taking, given=given)
            yield setting(name, _words(name), ask)
        case "carried":
            given = {str(seat): cents for seat, cents in (settings.get(name) or {}).items()}
            ask = Ask(
                "settings.carried", "by_seat", "In the middle, by who put it in", min=0, picks=taking, given=given
            )
            yield setting(name, "In the middle from earlier deals", ask)
        case "missed_blind":
            missed = Ask(
                "settings.missed_blind", "seats", "Who missed the blind", picks=taking, given=settings.get(name) or []
            )
            yield setting(name, "Missed blind", missed)
        case "waits":
            yield setting(name, "Moved away from the big blind", *_waiting(setup, taking))
        case "structure":
            yield from structure_offers(settings.get("structure"), schedule)
        case "forced":
            yield from forced_bet_offers(settings.get("structure"))


def _waiting(setup: Setup, taking: tuple[Pick, ...]) -> tuple[Ask, ...]:
    """A seat that moved, and by how many seats: it waits for as many hands."""
    waits = {str(seat): hands for seat, hands in (setup.settings.get("waits") or {}).items()}
    picks = tuple(
        Pick({**waits, str(seat.value): hands}, f"{seat.label}: {hands} hands" if hands else f"{seat.label}: none")
        for seat in taking
        for hands in range(len(taking))
    )
    return (Ask("settings.waits", "pick", "Who moved, and by how many seats", picks=picks, given=waits),)


def _moving(setup: Setup, has_button: bool) -> Iterator[Offer]:
    """Whether the table is moved on by itself, and the step by hand where it is not."""
    moves = bool(setup.settings.get("button_moves"))
    what = ("button and stacks", "Button, blinds and stacks") if has_button else ("the stacks", "Stacks")
    label = f"The floor sets {what[0]}" if moves else f"{what[1]} move on by themselves"
    yield setting("button_moves", label, settings={"button_moves": not moves})
    settings = setup.settings
    # A kill is for one hand: its blind goes with it.
    killed = settings.get("kill") is not None
    posted = dict(enumerate(settings.get("blind_sizes") or ())) if killed else settings.get("blinds") or {}
    moved = _button_moved(setup.seats, setup.button, posted)
    if has_button and moved is not None and not moves:
        button, blinds = moved
        label = f"Button to seat {button}, blinds to " + " and ".join(str(seat) for seat in blinds)
        next_hand: dict[str, Any] = {"blinds": blinds} | ({"kill": None} if killed else {})
        body = {"kind": "table_set", "button": button, "settings": next_hand}
        yield Offer("move_button", label, Right.SEAT, body, "table")


def _button_moved(
    seats: Sequence[int], button: int | None, blinds: dict[Any, int]
) -> tuple[int, dict[str, int]] | None:
    """The button one seat on, and the same blinds to its left; heads-up the button has the small one."""
    if button is None or len(seats) < 2 or len(blinds) != 2:
        return None
    after = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    small, big = sorted(blinds.values())
    first, second = (after[0], after[1]) if len(seats) == 2 else (after[1 % len(after)], after[2 % len(after)])
    return after[0], {str(first): small, str(second): big}


def _seats(seats: Sequence[int] | range) -> tuple[Pick, ...]:
    return tuple(Pick(seat, f"Seat {seat}") for seat in seats)


def _words(code: str) -> str:
    text = code.replace("_", " ")
    return text[:1].upper() + text[1:]
