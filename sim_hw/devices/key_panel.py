"""The simulated key panel: a dealer's finger is `press`, somebody's PIN is `enter_pin`.

It does what docs/protocols/key-panel.md asks of a panel, forgetting PINs included. Its keypad is patient:
`let_time_run_out` and `stay_alone` are methods, not timers, so that a seeded run does not depend on the speed of the
machine.
"""

from __future__ import annotations

from typing import Unpack

from msgspec.structs import asdict

from protocols import key_panel as wire
from protocols.key_panel import DARK, KeyLamp
from sim_hw.devices.kinds import CommonModel, Fault, Making, SimulatedKind
from sim_hw.devices.link_device import Hardware, LinkDevice
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import Port

ALONE = ("NO CONTROLLER",)


class SimulatedKeyPanel(LinkDevice[wire.Message]):
    """A panel on a simulated port. Unplugged at first: `plug` it."""

    DEVICE_CLASS, CODEC, MODEL, SERIAL = wire.DEVICE_CLASS, wire.CODEC, "SIM-PANEL", "SIM-0004"

    def __init__(
        self, port: Port, clock: SimClock, *, keys: int = 12, has_keypad: bool = True, **hardware: Unpack[Hardware]
    ) -> None:
        self.keys = keys
        self.lines: tuple[str, ...] = ALONE
        self.question: wire.AskPin | None = None
        """The PIN that is being asked for."""
        self._asked_in = 0
        """The session in which it was."""
        self._lamps: tuple[int, ...] = DARK
        self._has_keypad = has_keypad
        super().__init__(port, clock, **hardware)

    def lamp(self, key: int) -> KeyLamp:
        return KeyLamp(self._lamps[key - 1])

    def press(self, key: int) -> None:
        """A finger on a key. While a PIN is entered the panel does not report it."""
        self._expect_key(key)
        if self.question is None:
            self._happened(wire.KeyPressed(**self._head(), key=key))

    def enter_pin(self, digits: str) -> None:
        """Somebody types a PIN that was asked for."""
        request = self._asked()
        event = {**self._head(), "request": request}
        self._happened(wire.PinEntered(**event, digits=digits))
        self.question = None

    def cancel_pin(self) -> None:
        self._give_up("cancelled")

    def let_time_run_out(self) -> None:
        self._give_up("too late")

    def stick(self, key: int) -> None:
        """A mug is on a key."""
        self._expect_key(key)
        event = {**self._head(), "key": key}
        self._happened(wire.KeyStuck(**event, is_over=False))

    def unstick(self, key: int) -> None:
        event = {**self._head(), "key": key}
        self._happened(wire.KeyStuck(**event, is_over=True))

    def stay_alone(self) -> None:
        """The session ended five seconds ago."""
        self._lamps, self.lines = DARK, ALONE

    async def wait_asked(self) -> wire.AskPin:
        """Until the controller asks for a PIN."""
        await self.link.wait_until(lambda: self.question is not None)
        assert self.question is not None
        return self.question

    def _powered_up(self) -> None:
        self._lamps, self.lines = DARK, ALONE
        self.question = None

    def _status(self) -> wire.Status:
        return wire.Status(boot=self.boot, keys=self.keys, lines=2, columns=16)

    def _received(self, data: bytes) -> None:
        if self.question is not None and self._asked_in != self.link.statistics.sessions:
            self._give_up("session over")
        super()._received(data)

    def _commanded(self, command: wire.Message) -> None:
        match command:
            case wire.Show(show_no=number, lamps=lamps, lines=lines):
                self._lamps, self.lines = lamps, lines
                self._answer(wire.Shown(show_no=number))
            case wire.AskPin(request=request):
                free = self._has_keypad and self.question is None
                if free:
                    self.question, self._asked_in = command, self.link.statistics.sessions
                self._answer(wire.PinAsked(request=request, is_taken=free))
            case wire.EndPin(request=request):
                if self.question is not None and self.question.request == request:
                    self._give_up("ended")
                self._answer(wire.PinEnded(request=request))

    def _in_next_session(self, event: bytes) -> bytes:
        """A PIN that was not taken in its session is forgotten; its number is used for the news of that."""
        message = self.CODEC.decode(event)
        if not isinstance(message, wire.PinEntered):
            return event
        kept = {name: value for name, value in asdict(message).items() if name != "digits"}
        return self.CODEC.encode(wire.PinGivenUp(**kept, why="session over"))

    def _give_up(self, why: wire.WhyNoPin) -> None:
        event = {**self._head(), "request": self._asked()}
        self._happened(wire.PinGivenUp(**event, why=why))
        self.question = None

    def _asked(self) -> int:
        if self.question is None:
            raise ValueError("nobody asked for a PIN")
        return self.question.request

    def _expect_key(self, key: int) -> None:
        if not 1 <= key <= self.keys:
            raise ValueError(f"the panel has keys 1 to {self.keys}, not {key}")


# What people do with it


async def press(panel: SimulatedKeyPanel, *, key: int) -> None:
    panel.press(key)
    await panel.settled()


async def stick(panel: SimulatedKeyPanel, *, key: int) -> None:
    """A mug is on it."""
    panel.stick(key)
    await panel.settled()


async def unstick(panel: SimulatedKeyPanel, *, key: int) -> None:
    panel.unstick(key)
    await panel.settled()


async def enter_pin(panel: SimulatedKeyPanel, *, digits: str) -> None:
    await panel.wait_asked()
    panel.enter_pin(digits)
    await panel.settled()


# What goes wrong


async def key_stuck(panel: SimulatedKeyPanel, *, key: int = 1) -> None:
    """A mug is on a key."""
    panel.stick(key)


async def _all_up(panel: SimulatedKeyPanel) -> None:
    for key in range(1, panel.keys + 1):
        panel.unstick(key)


class PanelModel(CommonModel):
    keys: int = 12
    has_keypad: bool = True


def _build(making: Making) -> SimulatedKeyPanel:
    model: PanelModel = making.model
    return SimulatedKeyPanel(
        making.port,
        making.clock,
        seed=making.seed,
        keys=model.keys,
        has_keypad=model.has_keypad,
        serial=model.serial or "SIM-0004",
        firmware=model.firmware,
    )


KIND = SimulatedKind(
    name="key_panel",
    build=_build,
    model=PanelModel,
    device_class=wire.DEVICE_CLASS,
    acts=(press, stick, unstick, enter_pin),
    faults=(Fault(key_stuck, _all_up),),
)
