"""The shuffler: decks and stacks as events, commands as requests.

A command is only kept as a request; of each kind the last one wins. It is sent when the machine is there, again after a
reconnection if it was not answered, and never to a machine that was powered up since. What the machine refuses is
reported and dropped. Every irregularity drops the request to dispense before it is reported to the controller, so
whatever is dispensed afterwards was requested with knowledge of it.

The mode is different: it is kept. It is set again whenever the machine comes back in another mode, and when a deck has
left a machine that was too busy, or at whose panel somebody chose another mode.
"""

from __future__ import annotations

import logging
from typing import Literal

import msgspec
from msgspec.structs import asdict, replace

from devices.kinds import DeviceKind, LinkKind
from devices.link.driver import LinkDriver
from devices.options import options_of
from devices.reports import DeviceAnswer, DeviceState
from devices.spec import DeviceSpec
from protocols.cards import RANKS
from protocols.errors import ProtocolError
from protocols.link.events import NumberedEvent
from protocols.link.identity import Identity
from protocols.link.session import Timings
from protocols.shuffler import messages as wire
from protocols.shuffler.codec import CODEC, encode
from protocols.values import Value

log = logging.getLogger(__name__)

CommandName = Literal["set mode", "shuffle", "dispense", "unload", "self test"]


class ShufflerOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of a shuffler in the config."""

    mode: Literal["batch", "stacks"] | None = None
    """None: the controller sets it, or it stays as it is. Sorting is not shuffling, so it cannot be configured."""
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


class CheckedDeckLoaded(wire.DeckLoaded, kw_only=True):
    problem: str
    """What is wrong with the back, in a sentence; empty when it is the deck whose turn it is, or none is configured."""


class LimitedStack(wire.StackDispensed, kw_only=True):
    limit: int | None
    """The highest stack of this deck that the driver has requested; None where it has requested none."""


class Refused(Value, kw_only=True):
    """The shuffler refused a command. It is dropped; a mode is tried again with the next deck."""

    command: CommandName
    why: str


class ShufflerDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One shuffler, over all its connections.

    All commands return at once. Their numbers are computed from reports that the controller has *applied*: the
    `wire.Status` first, then the events since. What the driver received meanwhile does not count.
    """

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, kind=KIND, status_type=wire.Status)
        self.options = options_of(spec, ShufflerOptions)
        self._boot: int | None = None
        self._mode_now: wire.Mode | None = None
        self._mode = self.options.wanted_mode
        self._mode_rests = False
        """The machine did not take the mode, or a person chose another: leave it until the next deck."""
        self._requests: dict[type[wire.Command], wire.Command] = {}
        self._dispensed: wire.Dispense | None = None
        """The highest stack that was requested of the deck in work."""

    def set_mode(self, mode: wire.Mode) -> None:
        """Work in this mode from now on; the machine takes it when it has no deck in work."""
        encode(wire.SetMode(mode=mode))
        self._mode, self._mode_rests = mode, False
        self._offer()

    def shuffle(self, *, boot: int, deck_no: int, shuffle_no: int) -> None:
        """Shuffle this deck, as shuffle `shuffle_no` of this boot: one more than the last."""
        self._request(wire.Shuffle(boot=boot, deck_no=deck_no, shuffle_no=min(shuffle_no, wire.LAST_SHUFFLE_NO)))

    def dispense(self, *, boot: int, known: int, deck_no: int, up_to: int, size: int) -> None:
        """Let stacks of `size` go until `up_to` of this deck have left; at or below what has left, none goes.

        `known`: the number of the last event of this boot that the controller has applied. Past the last number that
        there is, no stack goes.
        """
        up_to = min(up_to, wire.LAST_STACK_NO)
        self._request(wire.Dispense(boot=boot, known=known, deck_no=deck_no, up_to=up_to, size=size))

    def unload(self, *, boot: int, deck_no: int) -> None:
        """Give this deck back, or what is left of it."""
        for overtaken in (wire.Shuffle, wire.Dispense):
            self._requests.pop(overtaken, None)
        self._request(wire.Unload(boot=boot, deck_no=deck_no))

    def self_test(self, *, boot: int, test_no: int) -> None:
        """Run self test `test_no` of this boot: one more than the last."""
        self._request(wire.SelfTest(boot=boot, test_no=test_no))

    def ask_meters(self) -> None:
        """Have the meters reported; they are reported at each connection anyway."""
        self._request(wire.MetersRequest())

    def _request(self, command: wire.Command) -> None:
        encode(command)
        self._requests.pop(type(command), None)
        self._requests[type(command)] = command
        self._offer()

    def _command(self, status: wire.Status) -> wire.Command | None:
        if self._mode is not None and self._mode != self._mode_now and not self._mode_rests:
            return wire.SetMode(mode=self._mode)
        for kind, command in list(self._requests.items()):
            if isinstance(command, wire.MetersRequest | wire.SetMode) or command.boot == self._boot:
                if isinstance(command, wire.Dispense):
                    self._note_dispensed(command)
                return command
            log.warning("%s: a request to %s is for an earlier power-up and is dropped", self.spec.id, _NAMES[kind])
            del self._requests[kind]
        return None

    def _note_dispensed(self, command: wire.Dispense) -> None:
        limit = self._limit(command.boot, command.deck_no)
        if limit is None or limit < command.up_to:
            self._dispensed = command

    def _limit(self, boot: int, deck_no: int) -> int | None:
        known = self._dispensed
        return known.up_to if known is not None and (known.boot, known.deck_no) == (boot, deck_no) else None

    def _online(self, identity: Identity, status: wire.Status) -> DeviceState:
        return replace(
            super()._online(identity, status),
            boot=status.boot,
            draws=status.stacks,
            deck_no=status.deck_no,
            up_to=status.up_to,
            limit=self._limit(status.boot, status.deck_no),
        )

    def _answered(self, asked: wire.Message, answer: wire.Message) -> DeviceAnswer | None:
        match asked, answer:
            case wire.MetersRequest(), wire.Meters():
                self._done(asked)
                return DeviceAnswer(device=self.spec.id, body=answer)
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
        return DeviceAnswer(device=self.spec.id, body=Refused(command=_NAMES[type(asked)], why=answer.refused))

    def _done(self, asked: wire.Command) -> None:
        """Drop the request, unless there is a newer one."""
        if self._requests.get(type(asked)) == asked:
            del self._requests[type(asked)]

    def _status_report(self, status: wire.Status) -> DeviceAnswer:
        self._boot, self._mode_now, self._mode_rests = status.boot, status.mode, False
        self._requests[wire.MetersRequest] = wire.MetersRequest()
        return DeviceAnswer(device=self.spec.id, body=status)

    def _body(self, event: wire.Event) -> NumberedEvent:
        self._follow(event)
        if isinstance(event, wire.DeckLoaded):
            return CheckedDeckLoaded(**asdict(event), problem=_back_problem(event, self.options.backs))
        if isinstance(event, wire.StackDispensed):
            return LimitedStack(**asdict(event), limit=self._limit(event.boot, event.deck_no))
        return event

    def _follow(self, event: wire.Event) -> None:
        """Keep the mode, and drop what must not be requested any more."""
        match event:
            case wire.DeckUnloaded():
                self._mode_rests = False
            case wire.ModeChanged():
                self._mode_now, self._mode_rests = event.mode, event.by == "hand"
        if wire.is_irregular(event):
            self._requests.pop(wire.Dispense, None)


_NAMES: dict[type[object], CommandName] = {
    wire.SetMode: "set mode",
    wire.Shuffle: "shuffle",
    wire.Dispense: "dispense",
    wire.Unload: "unload",
    wire.SelfTest: "self test",
}


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


KIND = DeviceKind(
    name="shuffler",
    driver=ShufflerDriver,
    options=ShufflerOptions,
    link=LinkKind(wire.DEVICE_CLASS, CODEC),
)
