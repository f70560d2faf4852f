"""What the devices may do now: the expectation, as commands to shoes, shufflers and reader boards.

Commands are absolute and computed from what the engine has applied. So a command that is sent twice does no harm, and
one that comes late opens nothing: a shoe may draw up to a number, a shuffler may dispense up to a stack, with knowledge
of everything that went wrong before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from controller.engine.expect.expectation import cards_allowed
from controller.engine.expect.wants import WantCard
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import CARD_DEVICES
from controller.outputs.reader_board import board_content
from controller.outputs.view_types import View
from devices.driver import Blinking, Shuffling
from devices.drivers.drop_box.driver import DropBoxDriver
from devices.drivers.drop_box.reports import DropMark
from devices.drivers.reader_board.driver import ReaderBoardDriver
from devices.drivers.shoe import ShoeDriver
from devices.drivers.shuffler import CheckedDeckLoaded, Refused
from devices.reports import DeviceAnswer, DeviceEvent, Report
from devices.supervisor import Supervisor
from protocols.shuffler import messages as shuffler


class DeviceCommands:
    """Follows what devices reported, and commands them to do what the table allows."""

    def __init__(self, supervisor: Supervisor, kinds: Mapping[str, str]) -> None:
        """`kinds`: what each device is to the table, by its id (`DeviceKind.to_the_table`)."""
        self._supervisor = supervisor
        self._kinds = kinds
        self._shufflers: dict[str, _Shuffler] = {}

    def forget(self, device: str) -> None:
        """It is out of the config, or has another driver."""
        self._shufflers.pop(device, None)

    def resume(self, marks: Mapping[str, Mapping[str, Any]], only: Collection[str] | None = None) -> None:
        """Give the drop-box sensors (or `only` those of some devices) the marks from the journal, so that each piece
        is counted once."""
        for device, driver in self._supervisor.drivers.items():
            if isinstance(driver, DropBoxDriver) and (only is None or device in only):
                mine = {
                    sensor.rpartition(".")[2]: DropMark(**{**mark, "faults": tuple(mark["faults"])})
                    for sensor, mark in marks.items()
                    if sensor.rpartition(".")[0] == device and mark
                }
                driver.resume(mine)

    def applied(self, report: Report) -> None:
        """A report is in the journal: commands are computed from it from now on."""
        device = report.device
        match report:
            case DeviceAnswer(body=shuffler.Status() as status):
                self._shufflers[device] = _Shuffler.of(status)
            case DeviceAnswer(body=Refused(command="dispense", why=why)) if device in self._shufflers:
                self._shufflers[device].dispense_refused(why)
            case DeviceEvent() if device in self._shufflers:
                self._shufflers[device].applied(report, self._shuffling(device))

    def can_deal(self, device: str) -> bool:
        """Whether cards can come from it. A shuffler that jammed or has no verified deck cannot: the dealer does."""
        return self._kinds.get(device) != "shuffler" or (device in self._shufflers and self._shufflers[device].verified)

    def cards_are_read(self) -> bool:
        """Whether a device reads the cards. While none is there, or it has no deck to deal, they are keyed by hand."""
        return any(
            state.state == "online" and self._kinds[name] in CARD_DEVICES and self.can_deal(name)
            for name, state in self._supervisor.states.items()
        )

    def follow(self, engine: TableEngine[Any]) -> None:
        """A shoe may release what the expectation allows, and not a card more; the same for a shuffler's stacks."""
        allowed = cards_allowed(engine.expectation)
        for device, counted in engine.state.counters.items():
            if self._kinds.get(device) == "shoe":
                driver = self._supervisor.driver(device, ShoeDriver)
                driver.permit(counted.number + allowed, boot=counted.boot)
        for device, machine in self._shufflers.items():
            machine.follow(engine, self._shuffling(device))

    def _shuffling(self, device: str) -> Shuffling:
        driver = self._supervisor.drivers[device]
        assert isinstance(driver, Shuffling), f"{device} reports as a shuffler does"
        return driver

    def can_blink(self, device: str) -> bool:
        """Whether it can show where it is: a device on the link, or one box (`boxes.jackpot`)."""
        name, _, part = device.partition(".")
        driver = self._supervisor.drivers.get(name)
        return isinstance(driver, Blinking) and driver.can_blink(part)

    def blink(self, device: str, seconds: int) -> None:
        """Let it show where it is, if it is there."""
        name, _, part = device.partition(".")
        driver = self._supervisor.drivers[name]
        assert isinstance(driver, Blinking)
        driver.blink(seconds, part)

    def show(self, view: View) -> None:
        """The reader boards show what the screens show."""
        for driver in self._supervisor.drivers.values():
            if isinstance(driver, ReaderBoardDriver):
                driver.set_content(board_content(view))


class _Shuffler(Struct):
    """What a shuffler's commands are computed from."""

    boot: int
    known: int
    """Its last event that was applied."""
    deck_no: int = 0
    shuffle_no: int = 0
    stacks: int = 0
    verified: bool = False
    asked: tuple[int, ...] = ()
    """The last stack that was requested."""
    refused: tuple[int, ...] = ()
    """The same, if it was refused. It is not requested again until something has happened: the machine would refuse it
    again, as fast as the wire carries it."""
    unloads: int = 0
    """The last deck that it was commanded to unload."""

    @classmethod
    def of(cls, status: shuffler.Status) -> _Shuffler:
        return cls(
            status.boot, status.event_no, status.deck_no, status.shuffle_no, status.stacks, status.phase == "ready"
        )

    def dispense_refused(self, why: str) -> None:
        self.refused = self.asked
        if why in ("too few cards", "wrong size", "wrong mode"):
            # What the table still needs comes from the dealer's hands.
            self.verified = False

    def applied(self, report: DeviceEvent, driver: Shuffling) -> None:
        self.boot, self.known = report.boot, report.event_no
        match report.body:
            case CheckedDeckLoaded() as loaded:
                self.deck_no, self.stacks, self.verified = loaded.deck_no, 0, False
                if not loaded.problem and not loaded.found:
                    driver.shuffle(boot=self.boot, deck_no=self.deck_no, shuffle_no=self.shuffle_no + 1)
            case shuffler.ShuffleStarted(shuffle_no=shuffle_no):
                self.shuffle_no, self.verified = shuffle_no, False
            case shuffler.DeckVerified() as deck:
                self.verified = deck.is_fit
            case shuffler.StackDispensed(stack_no=stack_no):
                self.stacks = stack_no
            case shuffler.Jammed() | shuffler.Fault() | shuffler.DeckUnloaded():
                self.verified = False

    def follow(self, engine: TableEngine[Any], driver: Shuffling) -> None:
        if engine.is_dealing and engine.round is not None and engine.round.table.deck_done:
            self._unload_rest(driver)
        if self.stacks and not engine.is_dealing and not engine.game.uses_shoe:
            # A deck serves one round; the rest of it is not a deck.
            self.verified = False
        wanted = next((want for want in engine.expectation.wants if isinstance(want, WantCard)), None)
        if not self.verified or wanted is None:
            return
        self.asked = (self.boot, self.known, self.deck_no, self.stacks + 1, wanted.count)
        if self.asked != self.refused:
            driver.dispense(
                boot=self.boot,
                known=self.known,
                deck_no=self.deck_no,
                up_to=self.stacks + 1,
                size=wanted.count,
            )

    def _unload_rest(self, driver: Shuffling) -> None:
        """Unload the rest of the deck that was dealt from; one that was loaded meanwhile waits for the next round."""
        if self.verified and self.stacks and self.unloads != self.deck_no:
            self.unloads = self.deck_no
            driver.unload(boot=self.boot, deck_no=self.deck_no)
