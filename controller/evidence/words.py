"""Inputs, events, cards and money in words for people.

An event holds exposed cards only, so everything here that is made from events may be read by anybody. An input may hold
cards that nobody may know: `of_input` never names one, and `sealed_cards` is the one way to get at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine import events as ev
from controller.engine import inputs as happened
from controller.engine import slip_inputs
from controller.engine.amounts import money
from controller.engine.cards.card import CARDS
from controller.engine.expect.want import title
from controller.engine.journal_inputs import StoreConfirmed
from controller.engine.table.clock import span
from controller.evidence import jackpot_words
from controller.evidence.names import person, place
from controller.evidence.procedure_words import procedure_line

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Unknown(Struct, frozen=True):
    """An input or event of a kind that this program does not have: written by another version."""

    kind: str
    fields: dict[str, Any] = {}
    """Of an event only: an input of unknown kind may hold anything."""


EventOrUnknown = ev.Event | Unknown
Stakes = Mapping[tuple[happened.Place, str], int]
"""The wagers on the layout, by place and wager."""


class Words:
    """How cards are written: 10♥, or Th for a terminal without suit signs; and in which zone times are."""

    def __init__(self, *, ascii: bool = False, zone: tzinfo | None = None) -> None:
        """`zone`: the house's; None: this machine's."""
        self._ascii = ascii
        self._zone = zone

    def moment(self, at: int) -> datetime:
        """A journal's time."""
        return moment(at).astimezone(self._zone)

    def card(self, code: str) -> str:
        """
        >>> Words().card("Th"), Words().card("Kh*"), Words(ascii=True).card("Th"), Words().card("Jo")
        ('10♥', 'K♥*', 'Th', 'Joker')
        """
        if code == "Jo":
            return "Joker"
        if self._ascii or (code[0].isdigit() and code[1] == "-"):
            return code
        return code[0].replace("T", "10") + SUIT_SIGNS[code[1]] + code[2:]

    def cards(self, codes: Iterable[str]) -> str:
        return " ".join(self.card(code) for code in codes)

    def value(self, value: Any) -> str:
        """Anything an event may hold, cards in it written as cards."""
        match value:
            case str() if value in CARDS:
                return self.card(value)
            case str():
                return value.replace("_", " ")
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case dict():
                return ", ".join(f"{_key(key)} {self.value(item)}" for key, item in value.items()) or "none"
            case list() | tuple() if value and all(isinstance(item, str) and item in CARDS for item in value):
                return self.cards(value)
            case list() | tuple():
                return " / ".join(self.value(item) for item in value) or "none"
        return str(value)

    # Events

    def of_event(self, event: EventOrUnknown, stakes: Stakes) -> list[str]:
        """One event: a line, or several for a settlement."""
        match event:
            case ev.RoundSettled():
                return self._settled(event, stakes)
            case ev.RoundVoided():
                back = [f"  {place(where)}: {money(cents)} back" for where, cents in event.returned.items()]
                reason = f", {event.reason}" if event.reason else ""
                return [f"ROUND VOID ({_words(event.ruling)}{reason}); fees {_words(event.fees)}", *back]
            case ev.Corrected():
                return [f"CORRECTED by {person(event.by)}: {event.reason}", *self._changes(event.changes)]
        return [self._line(event)]

    def _line(self, event: EventOrUnknown) -> str:
        if (line := procedure_line(event)) is not None:
            return line
        match event:
            case ev.CorrectionWeighed():
                inputs = ", ".join(map(str, event.inputs))
                return f"{person(event.by)} asks what it would change to amend input {inputs} of round {event.round}"
            case ev.ReplayDiffered():
                return f"Entry {event.entry} did not come out the same at a start; the table is held: {event.text}"
            case ev.DifferenceAccepted():
                reason = f": {event.reason}" if event.reason else ""
                return f"{person(event.by)} accepts that entry {event.entry} does not come out the same{reason}"
            case ev.TableStarted():
                mode = ", TEST MODE" if event.test else ""
                return f"The daemon started: version {event.version}, {event.ruleset}, rules {event.digest}{mode}"
            case ev.UpdateCame():
                return f"New {event.what} by signed reference {event.serial} from {person(event.by)}: {event.text}"
            case ev.TableConfigured():
                return f"The configuration was read again by {person(event.by)}: {', '.join(event.changed)}"
            case ev.TableSetTo():
                seats = ", ".join(map(str, event.seats)) or "none"
                return f"Seats {seats}; {_player_dealer(event.player_dealer)}{_button(event.button)}"
            case ev.RoundStarted():
                banker = _called(event.banker, event.firm) + _bank_hand(event.bank_hand)
                return f"The round begins; {_player_dealer(event.player_dealer)}{banker}{_button(event.button)}"
            case ev.BankSet():
                return f"The player-dealer posts {', '.join(map(money, event.spots)) or 'nothing'}"
            case ev.WagerSet(cents=0):
                return f"{place(event.place)} takes back {_words(event.wager)}"
            case ev.WagerSet():
                return f"{place(event.place)} wagers {money(event.cents)} on {_words(event.wager)}"
            case ev.BettingClosed():
                return f"No more bets: {money(event.action)} on the layout"
            case ev.FeeChanged(cause="due"):
                who = _payer(event)
                return f"Fee: {who} owes {money(event.cents)} ({_words(event.fee)}) to the {_words(event.box)} box"
            case ev.FeeChanged(cents=cents) if cents < 0:
                return f"Fee: {_payer(event)} need not pay {money(-cents)}: {_words(event.cause)}"
            case ev.FeeChanged():
                return f"Fee: {_payer(event)} owes {money(event.cents)} more: {_words(event.cause)}"
            case ev.FeesWaived():
                return f"The floor waives the fees of this hand{f': {event.reason}' if event.reason else ''}"
            case ev.FeesDropped():
                boxes = ", ".join(f"{money(cents)} in the {_words(box)} box" for box, cents in event.boxes.items())
                return f"Fees dropped, by the {event.how}: {boxes}"
            case ev.DealerTipWon():
                both = money(event.tip + event.won)
                return f"The dealer gets {both}: the tip of {money(event.tip)} from {place(event.place)} won"
            case ev.FreeCollection():
                return f"{place(event.place)} gets a free collection button: no action for the wager"
            case ev.ChipsPaid(what="tops"):
                return f"{place(event.to)} gets the tops: {money(event.cents)}"
            case ev.ChipsPaid():
                paid = ", ".join(f"{place(seat)} {money(cents)}" for seat, cents in event.paid.items())
                return f"{place(event.to)} asks {event.chips} chips of each for {_words(event.what)}: {paid}"
            case ev.CardDealt():
                return f"{title(event.to)}, card {event.nth}: {self._face(event.card)}"
            case ev.CardBurned():
                return f"Burned: {self._face(event.card)}"
            case ev.CardsTakenBack():
                return f"{title(event.owner)}: {self._faces(event.cards)} taken back, to the {_words(event.to)}"
            case ev.CardNamed():
                return f"{title(event.to)}, card {event.nth} is named: {self.card(event.card)}"
            case ev.HandShown():
                return f"{title(event.owner)} shows {self.cards(event.cards)}"
            case ev.DiceShown():
                return f"The dice show {' '.join(map(str, event.values))}"
            case ev.ActionButton():
                return f"The action button lies at seat {event.seat}"
            case ev.PileGiven():
                return f"Pile {event.pile} goes to {title(event.to)}"
            case ev.StreetDealt():
                return f"Street: {_words(event.name)}"
            case ev.HandSet():
                parts = [f"front {self.cards(event.front)}"] if event.front else []
                parts += [f"back {self.cards(event.back)}"] if event.back else []
                how = f"{_words(event.way)}{', ' + event.explained if event.explained else ''}"
                return f"{title(event.owner)} is set ({how}){': ' if parts else ''}{', '.join(parts)}"
            case ev.Decided():
                amount = "" if event.cents is None else f" {money(event.cents)}"
                to = "" if event.to is None else f" to {money(event.to)}"
                return f"{place(event.seat)}: {_words(event.do)}{amount}{to}"
            case ev.Refused():
                return f"Refused ({_words(event.what)}): {event.text}{self._aside(event.bounds)}"
            case ev.Irregularity():
                return f"IRREGULARITY {event.code}: {event.text}{self._aside(event.facts)}"
            case ev.Ruled():
                who = "" if event.seat is None else f" for {place(event.seat)}"
                return f"Ruling{who}: {_words(event.code)}"
            case ev.Held():
                return f"HELD, the floor is called: {event.text}"
            case ev.Resumed():
                return f"The floor decides: {_words(event.do)}" + (f", {event.reason}" if event.reason else "")
            case ev.ShoeBegan():
                return f"Shoe {event.number} begins" + (f", {event.decks} decks" if event.decks else "")
            case ev.PackReady():
                counted = "" if event.cards is None else f", {event.cards} cards"
                return f"Pack {event.number} is shuffled and counted by {event.device or event.by}{counted}"
            case ev.PackUnfit():
                return f"A pack may not be dealt: {event.text}"
            case ev.PackInPlay():
                return f"Pack {event.number} comes into play"
            case ev.PackEnded():
                of = "" if event.cards is None else f" of {event.cards}"
                return f"Pack {event.number} is out of play: {event.out}{of} cards were dealt"
            case ev.CutCardSeen():
                return "The cut card is out"
            case ev.ShoeEnded():
                return f"Shoe {event.number} ends after {event.hands} hands"
            case ev.BankOfferDue():
                offered = ", ".join(map(str, event.offered)) or "nobody eligible"
                had = f"seat {event.player_dealer} has had {event.hands} hands"
                return f"The player-dealer's position is offered on, {had}; to {offered}"
            case ev.BankDeclined():
                return f"Declined the player-dealer's position: {', '.join(map(str, event.places)) or 'everybody'}"
            case ev.BankTaken():
                how = "" if event.how == "offered" else ", set without an offer"
                return f"Seat {event.place}{_called(event.name, event.firm)} banks{how}"
            case ev.BankKept():
                return f"Everybody declined: seat {event.place}{_called(event.name, event.firm)} goes on"
            case ev.GameBroken():
                who = f"seat {event.place}{_called(event.name, event.firm)}"
                return f"THE GAME IS BROKEN: after {event.hands} hands of {who} nobody else takes his position"
            case ev.GameResumed():
                how = _words(event.how).replace("another", "with another")
                return f"The game resumes {how}, by {person(event.by)}" + (f": {event.reason}" if event.reason else "")
            case ev.PersonSeated():
                who = event.name or event.badge or "nobody named"
                other = ", another person than before" if event.another else ""
                return f"At seat {event.place}: {who}" + (f" of {event.firm}" if event.firm else "") + other
            case ev.DeviceChanged():
                return f"Device {event.device} is {_words(event.state)}{self._aside(event.facts)}"
            case ev.DropMatched():
                late = ", late" if event.late else ""
                what = f"{money(event.due)} in {event.pieces} pieces"
                return f"Drop of round {event.round} in the {_words(event.box)} box: {what}{late}, by {event.proof}"
            case ev.DropDiffers():
                return f"DROP {_words(event.what).upper()}: {event.text}"
            case ev.DropSettled():
                return f"Drop of the {_words(event.box)} box explained by {person(event.by)}: {event.reason}"
            case ev.BoxIdentified():
                where = "comes next" if event.comes else "is in"
                seal = f" under seal {event.seal}" if event.seal else ""
                return f"{title(event.box)} box {event.box_id}{seal} {where}, says {person(event.by)}"
            case ev.BoxReckoned():
                what = f"{money(event.due)} due, {event.pieces} pieces fell"
                return f"{title(event.box)} box {event.box_id} is out: {what}"
            case ev.BoxCounted():
                return f"Box {event.box_id} counted: {money(event.cents)}, {money(event.due)} were due ({event.what})"
            case ev.SignedIn():
                return f"{event.role.capitalize()} {event.name} signed in at the {event.at} with a {_means(event)}"
            case ev.SignedOut():
                return f"{event.role.capitalize()} {event.name} signed out"
            case ev.SignInFailed():
                return _sign_in_failed(event)
            case ev.DealerChanged():
                return f"{event.dealer} deals" if event.dealer else f"{event.was} no longer deals"
            case ev.UpdateStarted():
                return f"{_update(event)} begins; signed by {event.signer}, image {event.image}"
            case ev.UpdateVerified():
                return f"{_update(event)} is done and verified"
            case ev.UpdateFailed():
                return f"{_update(event)} was given up: {event.text}"
            case ev.ClockChanged(clock="stepped"):
                moved = event.after - event.before
                return f"The board's clock was set {'ahead' if moved > 0 else 'back'} by {span(moved)}"
            case ev.ClockChanged():
                return f"The board's clock is kept by {'a time server' if event.clock == 'synced' else 'nobody'}"
            case ev.AlarmRaised():
                return f"ALARM {event.alarm}: {event.text}"
            case ev.AlarmChanged():
                return f"Alarm {event.alarm} is now: {event.text}"
            case ev.AlarmCleared():
                return f"Alarm {event.alarm} is over"
            case ev.AlarmSettled():
                return f"Alarm {event.alarm} is cleared by {person(event.by)}: {event.reason}"
            case ev.AlarmAcknowledged():
                return f"Alarm {event.alarm} is acknowledged by {person(event.by)}"
            case ev.TableOpen():
                return f"The table is opened by {person(event.by)}"
            case ev.TableShut():
                return f"The table is closed by {person(event.by)}" + (f": {event.reason}" if event.reason else "")
            case ev.RulesSet():
                most = "no limit" if event.max_wager is None else money(event.max_wager)
                return f"Rules {event.ruleset} ({event.digest}), wagers from {money(event.min_wager)} to {most}"
            case ev.Commanded():
                done = "done" if event.ok else f"refused ({_words(event.why)})"
                return f"Command {event.command} for {person(event.by)}: {done}; request {event.request}"
        if not isinstance(event, Unknown):
            about_jackpot = jackpot_words.of_event(event, person(str(getattr(event, "by", ""))))
            if about_jackpot is not None:
                return about_jackpot
        kind, fields = _parts(event)
        return f"{_words(kind).capitalize()}{self._aside(fields)}"

    def _settled(self, event: ev.RoundSettled, stakes: Stakes) -> list[str]:
        marks = [_words(name) for name, on in event.flags.items() if on]
        lines = ["Settled" + (f": {self.value(event.outcome)}" if event.outcome is not None else "")]
        lines[0] += f" ({', '.join(marks)})" if marks else ""
        for owner, cards in event.hands.items():
            counted = event.totals.get(owner)
            lines.append(
                f"  {title(owner)}: {self.value(cards)}" + (f", counts {self.value(counted)}" if counted else "")
            )
        lines += [f"  {_settled_line(line, stakes.get((line.place, line.wager)))}" for line in event.lines]
        if event.lines:
            lines.append(f"  Player-dealer: {_moved(event.bank_net)}")
        for pot in event.pots:
            taken = ", ".join(f"seat {seat} takes {money(cents)}" for seat, cents in pot.to.items())
            lines.append(
                f"  Pot {money(pot.cents)}, seats {', '.join(map(str, pot.seats))}: {taken or 'nobody takes it'}"
            )
        lines += [f"  {place(seat)}: {money(cents)} back" for seat, cents in event.returned.items()]
        return lines

    def _changes(self, changes: Mapping[str, Any]) -> list[str]:
        lines: list[str] = []
        for name, (before, after) in changes.items():
            if name == "bank_net":
                lines.append(f"  player-dealer: {_moved(before or 0)} -> {_moved(after or 0)}")
            elif name == "lines":
                lines += _line_changes(before or [], after or [])
            elif isinstance(before, dict) and isinstance(after, dict):
                for key in {**before, **after}:
                    if before.get(key) != after.get(key):
                        was, now = self.value(before.get(key)), self.value(after.get(key))
                        lines.append(f"  {_words(name)}, {_key(key)}: {was} -> {now}")
            else:
                lines.append(f"  {_words(name)}: {self.value(before)} -> {self.value(after)}")
        return lines or ["  nothing that anybody can see changed"]

    def _face(self, card: str | None) -> str:
        return "not exposed" if card is None else self.card(card)

    def _faces(self, cards: Sequence[str | None]) -> str:
        """ "9♥ and 2 not exposed"."""
        shown = self.cards(card for card in cards if card is not None)
        hidden = sum(card is None for card in cards)
        return " and ".join(part for part in (shown, f"{hidden} not exposed" if hidden else "") if part)

    def _aside(self, facts: Mapping[str, Any]) -> str:
        return f" ({self.value(dict(facts))})" if facts else ""


def _means(event: ev.SignedIn | ev.SignInFailed) -> str:
    return "PIN" if event.means == "pin" else event.means


def _sign_in_failed(event: ev.SignInFailed) -> str:
    whose = f" for {event.name}" if event.name else ""
    others = f", and {event.others} more before" if event.others else ""
    wait = f"; next try in {event.wait_s} s" if event.wait_s else ""
    return f"Wrong {_means(event)} at the {event.at} from {event.client}{whose}{others}{wait}"


# Inputs


def of_input(body: happened.AnyBody | Unknown) -> str:
    """What happened, without any card in it."""
    match body:
        case happened.CardOut():
            read = "" if body.card is not None else ", not read" + (f": {_words(body.why)}" if body.why else "")
            return f"a card left{' while locked' if body.locked else ''}{read}"
        case happened.StackOut():
            unread = sum(card is None for card in body.cards)
            return f"a stack of {len(body.cards)} cards" + (f", {unread} not read" if unread else "")
        case happened.WagerPlaced():
            return f"wager of {money(body.cents)} on {_words(body.wager)}, {place(happened.place_of(body.place))}"
        case happened.BankPosted():
            return f"the player-dealer's money: {', '.join(map(money, body.spots)) or 'none'}"
        case happened.BetsClosed():
            return "no more bets"
        case happened.FeesIn():
            return "the fees are in the box"
        case happened.Act():
            return f"{place(body.seat)} says {_words(body.do)}"
        case happened.DiceRolled():
            return "dice rolled"
        case happened.Revealed():
            return f"{title(body.owner)}: {len(body.cards)} cards keyed"
        case happened.Happening():
            return _words(body.code) + ("" if body.seat is None else f", seat {body.seat}")
        case happened.FloorCalled():
            call = "ends the call for the floor" if body.is_over else "calls the floor"
            return call + (f": {body.reason}" if body.reason else "")
        case happened.FloorAct():
            act = _words(body.do) + ("" if body.seat is None else f", seat {body.seat}")
            return act + (f": {body.reason}" if body.reason else "")
        case happened.Amended():
            which = ", ".join(str(change.index) for change in body.changes)
            does = "asks what it would change to amend" if body.preview else "amends"
            return f"{does} input {which} of round {body.round}: {body.reason or 'no reason given'}"
        case slip_inputs.TakenBack():
            return "takes the last slip back"
        case slip_inputs.SlipRefused():
            return f"a slip that was not done ({_words(body.what)})"
        case happened.TableSet():
            return "seats and positions set"
        case happened.ShoeStarted():
            return "a new shoe"
        case happened.PackReported():
            return "a pack that is not fit" if body.problem else "a pack, shuffled and counted"
        case happened.CutCardOut():
            return "the cut card left"
        case happened.Quarantined():
            return (
                f"a message of {body.device} that cannot be read: kind 0x{body.data[:2]}, {len(body.data) // 2} bytes"
            )
        case happened.DeviceSeen():
            return f"device {body.device}: {_words(body.state)}"
        case happened.SignInSeen(what="failed"):
            return f"a sign-in at the {body.at} failed"
        case happened.SignInSeen():
            return f"{body.name} {_words(body.what)} at the {body.at}"
        case happened.DealerSigned():
            return f"{body.name} signs on to deal" if body.name else "the dealer leaves"
        case happened.BoxKeyed():
            return f"{_words(body.box)} box {body.id} keyed" + (f", seal {body.seal}" if body.seal else "")
        case happened.BoxCountedIn():
            return f"box {body.id} counted: {money(body.cents)}"
        case happened.DropExplained():
            return f"drop of the {_words(body.box)} box explained: {body.reason or 'no reason given'}"
        case _ if isinstance(body, jackpot_words.STATED):
            return jackpot_words.of_input(body)
        case happened.TimePassed():
            return "time passed"
        case happened.TpmCounted():
            step = {"counting": "counts on from", "counted": "has counted to", "found": "was found at"}[body.step]
            return f"the board's TPM {step} {body.value}"
        case StoreConfirmed():
            return f"store {body.store} has every event up to {body.seq}"
        case happened.FirmwareUpdate():
            return f"firmware {body.version} for {body.device}: {body.step}"
        case happened.Started():
            return f"start of the daemon, version {body.version}"
        case happened.Configured():
            return f"configuration read again: {', '.join(body.changed)}"
        case Unknown():
            return f"{_words(body.kind)} (this program does not know it)"
    return _words(str(type(body).__struct_config__.tag))


def sealed_cards(body: happened.AnyBody | Unknown) -> list[str]:
    """Every card that an input names, exposed or not. Only for the inspector, and only of settled rounds."""
    return [] if isinstance(body, Unknown) else _codes_in(msgspec.to_builtins(body))


def exposed_cards(events: Iterable[EventOrUnknown]) -> list[str]:
    """Every card that these events show."""
    return _codes_in([msgspec.to_builtins(event) for event in events])


def _codes_in(value: Any) -> list[str]:
    match value:
        case str() if value in CARDS:
            return [value]
        case list() | tuple():
            return [code for item in value for code in _codes_in(item)]
        case dict():
            return _codes_in(list(value.values()))
    return []


# Parts


def _update(event: ev.UpdateStarted | ev.UpdateVerified | ev.UpdateFailed) -> str:
    return f"Firmware of {event.device}, from {event.before} to {event.version},"


def moment(at: int) -> datetime:
    """A journal's time in this machine's zone (`TZ`)."""
    return datetime.fromtimestamp(at // 1000).astimezone().replace(microsecond=at % 1000 * 1000)


def _settled_line(line: ev.Line, stake: int | None) -> str:
    staked = "" if stake is None else f", {money(stake)}"
    short = f"; {money(line.uncovered)} had no cover" if line.uncovered else ""
    if line.net == 0:
        became = "no action" if line.uncovered else "push"
    else:
        became = f"{'wins' if line.net > 0 else 'loses'} {money(abs(line.net))}"
    return f"{place(line.place)}, {_words(line.wager)}{staked}: {became}{short}"


def _line_changes(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[str]:
    was, now = _by_wager(before), _by_wager(after)
    return [
        f"  {place(key[0])}, {_words(key[1])}: {_moved(was.get(key, 0))} -> {_moved(now.get(key, 0))}"
        for key in {**was, **now}
        if was.get(key) != now.get(key)
    ]


def _by_wager(lines: list[dict[str, Any]]) -> dict[tuple[happened.Place, str], int]:
    net: dict[tuple[happened.Place, str], int] = {}
    for line in lines:
        key = (line["place"], line["wager"])
        net[key] = net.get(key, 0) + line["net"]
    return net


def _moved(cents: int) -> str:
    return f"+{money(cents)}" if cents > 0 else money(cents)


def _parts(event: EventOrUnknown) -> tuple[str, dict[str, Any]]:
    if isinstance(event, Unknown):
        return event.kind, event.fields
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return fields.pop("kind"), fields


def _player_dealer(seat: int | None) -> str:
    return "no player-dealer" if seat is None else f"player-dealer in seat {seat}"


def _button(seat: int | None) -> str:
    return "" if seat is None else f", button at seat {seat}"


def _called(name: str, firm: str) -> str:
    """
    >>> _called("Ann", "Blue Bank"), _called("Ann", ""), _called("", "")
    (' (Ann of Blue Bank)', ' (Ann)', '')
    """
    named = " of ".join(part for part in (name, firm) if part)
    return f" ({named})" if named else ""


def _bank_hand(hand: int) -> str:
    return f", his hand {hand}" if hand else ""


def _payer(line: ev.FeeChanged) -> str:
    """Who owes a fee."""
    if line.place is not None:
        return place(line.place)
    return title(line.payer) if line.payer else f"The table, for round {line.round}" if line.round else "The table"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _key(key: Any) -> str:
    text = str(key)
    return title(text) if text[:1].isdigit() else _words(text)
