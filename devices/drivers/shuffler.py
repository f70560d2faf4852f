"""The shuffler: decks and stacks as reports, commands as wishes.

A command only notes a wish; of each kind the last one wins. It is sent when the machine is there, again after a
reconnection if it was not answered, and never to a machine that was powered up since. What the machine refuses is
reported and forgotten. Every irregularity forgets the wish to dispense before the controller hears of it: whatever is
dispensed afterwards was wished by somebody who knew.

The mode is different: it is the wish that stands. It is set again whenever the machine comes back in another one, and
when a deck has left a machine that was too busy, or whose panel somebody had been at.
"""

from __future__ import annotations

import logging
from typing import Literal

import msgspec
from msgspec.structs import asdict

from devices import reports
from devices.link.driver import LinkDriver
from devices.options import options_of
from devices.reports import ShufflerMeters, ShufflerRefused, ShufflerReport, ShufflerStands
from devices.spec import DeviceSpec
from protocols.cards import RANKS
from protocols.errors import ProtocolError
from protocols.link.identity import DeviceClass
from protocols.link.session import Timings
from protocols.shuffler import messages as wire
from protocols.shuffler.codec import CODEC, encode

log = logging.getLogger(__name__)


class ShufflerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the config may say of a shuffler."""

    mode: Literal["batch", "stacks"] | None = None
    """None: the controller sets it, or it stays as it is. Sorting is nothing to configure: it is no shuffle."""
    stack: int = 0
    packet: int = 0
    ranks: str = RANKS
    star_ranks: str = ""
    jokers: int = 0
    decks: int = 1
    backs: tuple[Literal["red", "blue", "green", "black", "purple", "orange"], ...] = ()
    """The decks of this table by the colour of their backs, which take turns; empty: whatever comes is right."""

    def __post_init__(self) -> None:
        if len(set(self.backs)) != len(self.backs):
            raise ValueError("each deck in `backs` needs its own colour")
        mode = self.wanted_mode
        if mode is None and (self.stack or self.packet):
            raise ValueError('`stack` and `packet` need `mode = "stacks"`')
        if mode is not None:
            try:
                encode(wire.SetMode(mode=mode))
            except ProtocolError as error:
                raise ValueError(f"there is no such mode: {error}") from None

    @property
    def wanted_mode(self) -> wire.Mode | None:
        if self.mode is None:
            return None
        return wire.Mode(
            kind=self.mode,
            stack=self.stack,
            packet=self.packet,
            ranks=self.ranks,
            star_ranks=self.star_ranks,
            jokers=self.jokers,
            decks=self.decks,
        )


class ShufflerDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One shuffler, over all its connections.

    All commands return at once. Their numbers are reckoned from reports that the controller has *applied*:
    `ShufflerStands` first, then what happened since. Whatever the driver may have heard meanwhile does not count.
    """

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, device_class=DeviceClass.SHUFFLER, codec=CODEC, status_type=wire.Status)
        self.options = options_of(spec, ShufflerOptions)
        self._boot: int | None = None
        self._mode_now: wire.Mode | None = None
        self._mode = self.options.wanted_mode
        self._mode_rests = False
        """The machine did not take the mode, or a person chose another: leave it until the next deck."""
        self._wishes: dict[type[wire.Command], wire.Command] = {}

    def set_mode(self, mode: wire.Mode) -> None:
        """Work in this mode from now on; the machine takes it when it has no deck in work."""
        encode(wire.SetMode(mode=mode))
        self._mode, self._mode_rests = mode, False
        self._offer()

    def shuffle(self, *, boot: int, deck_no: int, shuffle_no: int) -> None:
        """Shuffle this deck, as shuffle `shuffle_no` of this boot: one more than the last."""
        self._wish(wire.Shuffle(boot=boot, deck_no=deck_no, shuffle_no=shuffle_no))

    def dispense(self, *, boot: int, known: int, deck_no: int, up_to: int, size: int) -> None:
        """Let stacks of `size` go until `up_to` of this deck have left; at or below what has left, none goes.

        `known`: the number of the last event of this boot that the controller has applied.
        """
        self._wish(wire.Dispense(boot=boot, known=known, deck_no=deck_no, up_to=up_to, size=size))

    def unload(self, *, boot: int, deck_no: int) -> None:
        """Give this deck back, or what is left of it."""
        for overtaken in (wire.Shuffle, wire.Dispense):
            self._wishes.pop(overtaken, None)
        self._wish(wire.Unload(boot=boot, deck_no=deck_no))

    def self_test(self, *, boot: int, test_no: int) -> None:
        """Run self test `test_no` of this boot: one more than the last."""
        self._wish(wire.SelfTest(boot=boot, test_no=test_no))

    def ask_meters(self) -> None:
        """Have the meters reported; they are reported at each connection anyway."""
        self._wish(wire.MetersRequest())

    def _wish(self, command: wire.Command) -> None:
        encode(command)
        self._wishes.pop(type(command), None)
        self._wishes[type(command)] = command
        self._offer()

    def _command(self, status: wire.Status) -> wire.Command | None:
        if self._mode is not None and self._mode != self._mode_now and not self._mode_rests:
            return wire.SetMode(mode=self._mode)
        for kind, command in list(self._wishes.items()):
            if isinstance(command, wire.MetersRequest | wire.SetMode) or command.boot == self._boot:
                return command
            log.warning("%s: a wish to %s is for an earlier power-up and is dropped", self.spec.id, _NAMES[kind])
            del self._wishes[kind]
        return None

    def _answered(self, asked: wire.Message, answer: wire.Message) -> ShufflerRefused | ShufflerMeters | None:
        match asked, answer:
            case wire.MetersRequest(), wire.Meters():
                self._done(asked)
                return ShufflerMeters(device=self.spec.id, **asdict(answer))
            case wire.SetMode(), wire.ModeState():
                self._mode_now = answer.mode
                self._mode_rests = answer.refused is not None and asked.mode == self._mode
                fits = answer.mode == asked.mode
            case wire.Shuffle(), wire.ShuffleState():
                fits = answer.boot == asked.boot and answer.shuffle_no >= asked.shuffle_no
            case wire.Dispense(), wire.DispenseState():
                wanted = (asked.boot, asked.deck_no, asked.up_to, asked.size)
                fits = wanted == (answer.boot, answer.deck_no, answer.up_to, answer.size)
            case wire.Unload(), wire.UnloadState():
                fits = answer.boot == asked.boot
            case wire.SelfTest(), wire.SelfTestState():
                fits = answer.boot == asked.boot and answer.test_no >= asked.test_no
            case _:
                super()._answered(asked, answer)
                return None
        if answer.refused is None and not fits:
            raise ProtocolError(f"the shuffler answered {asked} with {answer}")
        self._done(asked)
        if answer.refused is None:
            return None
        return ShufflerRefused(device=self.spec.id, command=_NAMES[type(asked)], why=answer.refused)

    def _done(self, asked: wire.Command) -> None:
        """Forget the wish, unless there is a newer one."""
        if self._wishes.get(type(asked)) == asked:
            del self._wishes[type(asked)]

    def _stands(self, status: wire.Status) -> ShufflerStands:
        self._boot, self._mode_now, self._mode_rests = status.boot, status.mode, False
        self._wishes[wire.MetersRequest] = wire.MetersRequest()
        return ShufflerStands(
            device=self.spec.id,
            boot=status.boot,
            event_no=status.event_no,
            phase=status.phase,
            mode=status.mode.kind,
            deck_no=status.deck_no,
            back=status.back,
            shuffle_no=status.shuffle_no,
            stacks=status.stacks,
            cards_left=status.cards_left,
            tray=status.tray,
            door_open=status.door_open,
            test_no=status.test_no,
        )

    def _report(self, event: wire.Event) -> ShufflerReport:
        self._follow(event)
        said = asdict(event)
        match event:
            case wire.DeckLoaded():
                said["problem"] = _back_problem(event, self.options.backs)
            case wire.DeckVerified():
                said["problem"] = _deck_problem(event)
            case wire.ModeChanged():
                mode = event.mode
                said |= {"mode": mode.kind, "stack": mode.stack, "packet": mode.packet}
                said["cards_in_deck"] = mode.cards_in_deck
        return _REPORTS[type(event)](device=self.spec.id, **said)

    def _follow(self, event: wire.Event) -> None:
        """Know the mode, and forget what must not be asked for any more."""
        match event:
            case wire.DeckUnloaded():
                self._mode_rests = False
            case wire.ModeChanged():
                self._mode_now, self._mode_rests = event.mode, event.by == "hand"
        if wire.is_irregular(event):
            self._wishes.pop(wire.Dispense, None)


_NAMES: dict[type[object], Literal["set mode", "shuffle", "dispense", "unload", "self test"]] = {
    wire.SetMode: "set mode",
    wire.Shuffle: "shuffle",
    wire.Dispense: "dispense",
    wire.Unload: "unload",
    wire.SelfTest: "self test",
}

_REPORTS: dict[type[wire.Event], type[ShufflerReport]] = {
    wire.DeckLoaded: reports.DeckLoaded,
    wire.ShuffleStarted: reports.ShuffleStarted,
    wire.DeckVerified: reports.DeckVerified,
    wire.StackDispensed: reports.StackDispensed,
    wire.StackRemoved: reports.StackRemoved,
    wire.DeckUnloaded: reports.DeckUnloaded,
    wire.Jammed: reports.ShufflerJammed,
    wire.JamCleared: reports.ShufflerJamCleared,
    wire.BoxedCard: reports.BoxedCard,
    wire.DoorMoved: reports.ShufflerDoorMoved,
    wire.SelfTestEnded: reports.ShufflerTested,
    wire.Fault: reports.ShufflerFault,
    wire.ModeChanged: reports.ShufflerModeChanged,
}
"""A report has the fields of its event, under the same names."""


def _back_problem(deck: wire.DeckLoaded, backs: tuple[str, ...]) -> str:
    if not backs or deck.found:
        return ""
    ours = " and ".join(backs)
    if deck.back is None:
        return f"the back of the deck was not seen; this table plays {ours}"
    if deck.back not in backs:
        return f"the deck is {deck.back}; this table plays {ours}"
    if deck.back == deck.last_back and len(backs) > 1:
        return f"the {deck.back} deck came again, out of turn; this table plays {ours}"
    return ""


def _deck_problem(deck: wire.DeckVerified) -> str:
    if deck.is_fit:
        return ""
    more = ", and more" if deck.more else ""
    found = (
        (deck.order == "sorted", "sorted, not shuffled"),
        (deck.count != deck.expected, f"{deck.count} cards, {deck.expected} expected"),
        (deck.boxed, f"{deck.boxed} face up"),
        (deck.other_backs, f"{deck.other_backs} with another back"),
        (deck.unread, f"{deck.unread} not read"),
        (deck.missing, f"missing {', '.join(deck.missing)}{more}"),
        (deck.extra, f"too many {', '.join(deck.extra)}{more}"),
    )
    return "; ".join(text for is_so, text in found if is_so)
