"""The dealer's key panel: keys by the names of the config, lamps and text, and PINs.

`show` only keeps the request, and the last one wins. It is sent when the panel is there, and again after a
reconnection.

The digits of a PIN go to the coroutine that asked for it and nowhere else: the report to the sink says that one was
given, not which.

Options in the config:

    keys   the name of each key, by its number: { 1 = "no_more_bets", 2 = "call_floor" }
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import asdict

from devices.driver import WrongDevice
from devices.kinds import DeviceKind, LinkKind
from devices.link.driver import LinkDriver
from devices.options import options_of
from devices.randomness import CHANCE
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols import key_panel as wire
from protocols.key_panel import KeyLamp
from protocols.link.events import NumberedEvent
from protocols.link.identity import Identity
from protocols.link.session import Timings
from protocols.values import Value

GRACE = 5.0
"""Seconds that a panel may be late with the message that nobody entered a PIN."""

Label = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$")]


class KeyPanelOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    keys: dict[str, Label] = {}

    def __post_init__(self) -> None:
        for number in self.keys:
            if not (number.isdecimal() and 1 <= int(number) <= wire.MAX_KEYS and str(int(number)) == number):
                raise ValueError(f"keys are numbered 1 to {wire.MAX_KEYS}; {number!r} is none of them")
        labels = list(self.keys.values())
        if len(set(labels)) != len(labels):
            raise ValueError(f"each key has its own name; these are {', '.join(labels)}")


class NamedKeyPressed(wire.KeyPressed, kw_only=True):
    label: str | None
    """The name in the config; None for a key without one."""
    is_late: bool
    """It was pressed while the panel was away. Whether it still means something is for the controller to decide."""


class NamedKeyStuck(wire.KeyStuck, kw_only=True):
    label: str | None


class PinAnswered(NumberedEvent, kw_only=True):
    """Somebody entered a PIN at the panel, or did not. In place of the message, which has the digits."""

    was_given: bool
    why_not: str | None


class PinNotGiven(Exception):
    """Why there is no PIN, in a sentence."""


class Pin(Value):
    """Digits that somebody entered. They are in no `repr`; let them go out of scope soon."""

    HIDDEN = frozenset({"digits"})
    digits: str


class _Question(Struct):
    ask: wire.AskPin
    pin: asyncio.Future[Pin]


class KeyPanelDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One key panel, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, kind=KIND, status_type=wire.Status)
        options = options_of(spec, KeyPanelOptions)
        self._labels = {int(number): label for number, label in options.keys.items()}
        self._requested: wire.Show | None = None
        self._shown: wire.Show | None = None
        self._question: _Question | None = None
        self._open_requests: set[int] = set()
        """PINs that the panel was asked for in this session and has not answered."""

    def show(self, lamps: Mapping[str, KeyLamp], lines: Sequence[str] = ()) -> None:
        """Light these keys, by their names, and no other; write these lines. Returns at once; the last wins."""
        unknown = set(lamps) - set(self._labels.values())
        if unknown:
            raise ValueError(f"{self.spec.id} has no key {', '.join(sorted(unknown))}")
        by_key = tuple(lamps.get(self._labels.get(key, ""), KeyLamp.OFF) for key in range(1, wire.MAX_KEYS + 1))
        number = 1 if self._requested is None else self._requested.show_no % 0xFFFFFFFF + 1
        request = wire.Show(show_no=number, lamps=by_key, lines=tuple(lines))
        # A text that no panel can show is the caller's mistake, and must not end the session later.
        self._codec.encode(request)
        self._requested = request
        self._offer()

    async def ask_pin(self, *, shortest: int = 4, longest: int = 8, seconds: int = 30) -> Pin:
        """Have somebody enter a PIN; `PinNotGiven` says why nobody did. Cancelling it ends the question."""
        if self.status is None:
            raise PinNotGiven(f"{self.name} is away")
        if self._question is not None:
            raise PinNotGiven("another PIN is being asked for")
        request = CHANCE.get().randint(1, 0xFFFFFFFF)
        ask = wire.AskPin(request=request, shortest=shortest, longest=longest, seconds=seconds)
        self._codec.encode(ask)
        self._question = question = _Question(ask, asyncio.get_running_loop().create_future())
        self._offer()
        try:
            async with asyncio.timeout(seconds + GRACE):
                return await question.pin
        except TimeoutError:
            raise PinNotGiven(f"{self.name} did not say in time that nobody entered a PIN") from None
        finally:
            self._question = None
            self._offer()

    def _command(self, status: wire.Status) -> wire.Message | None:
        wanted = None if self._question is None else self._question.ask
        for request in self._open_requests:
            if wanted is None or wanted.request != request:
                return wire.EndPin(request=request)
        # The text first: a person who is asked for a PIN must be able to read what it is for.
        if self._requested != self._shown:
            return self._requested
        if wanted is not None and wanted.request not in self._open_requests and self._is_waited_for(wanted.request):
            return wanted
        return None

    def _answered(self, asked: wire.Message, answer: wire.Message) -> None:
        match asked, answer:
            case wire.Show(show_no=wanted), wire.Shown(show_no=shown) if shown == wanted:
                self._shown = asked
            case wire.AskPin(request=wanted), wire.PinAsked(request=request, is_taken=taken) if request == wanted:
                if taken:
                    self._open_requests.add(request)
                else:
                    self._no_pin(request, f"{self.name} cannot take a PIN now")
            case wire.EndPin(request=wanted), wire.PinEnded(request=request) if request == wanted:
                self._open_requests.discard(request)
            case _:
                super()._answered(asked, answer)

    def _gone(self) -> None:
        self._shown = None
        self._open_requests.clear()
        if self._question is not None:
            self._no_pin(self._question.ask.request, f"{self.name} went away")

    def _online(self, identity: Identity, status: wire.Status) -> DeviceState:
        if self._labels and max(self._labels) > status.keys:
            raise WrongDevice(
                f"the key panel on {self.spec.url} has {status.keys} keys, the config names key {max(self._labels)}"
            )
        return super()._online(identity, status)

    def _body(self, event: wire.Event) -> NumberedEvent:
        match event:
            case wire.KeyPressed(key=key):
                return NamedKeyPressed(**asdict(event), label=self._labels.get(key), is_late=self.status is None)
            case wire.KeyStuck(key=key):
                return NamedKeyStuck(**asdict(event), label=self._labels.get(key))
            case wire.PinEntered(request=request, digits=digits):
                self._open_requests.discard(request)
                if self._question is not None and self._is_waited_for(request):
                    self._question.pin.set_result(Pin(digits))
                why_not = None
            case wire.PinGivenUp(request=request, why=why_not):
                self._open_requests.discard(request)
                self._no_pin(request, f"no PIN was entered: {why_not}")
        return PinAnswered(
            boot=event.boot,
            event_no=event.event_no,
            uptime_ms=event.uptime_ms,
            was_given=why_not is None,
            why_not=why_not,
        )

    def _is_waited_for(self, request: int) -> bool:
        question = self._question
        return question is not None and question.ask.request == request and not question.pin.done()

    def _no_pin(self, request: int, why: str) -> None:
        if self._question is not None and self._is_waited_for(request):
            self._question.pin.set_exception(PinNotGiven(why))


KIND = DeviceKind(
    name="key_panel",
    driver=KeyPanelDriver,
    options=KeyPanelOptions,
    link=LinkKind(wire.DEVICE_CLASS, wire.CODEC),
)
