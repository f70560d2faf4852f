"""What the devices may do now: the expectation, told to shoes, shufflers and reader boards.

Commands are absolute and reckoned from what the engine has applied, so telling one again does no harm and one that
comes late opens nothing: a shoe may draw up to a number, a shuffler may dispense up to a stack, knowing of everything
that went wrong before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from controller.engine.expect.expectation import WantCard, cards_allowed
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import CARD_DEVICES
from controller.outputs.reader_board import board_content
from controller.outputs.view_types import View
from devices import reports
from devices.drivers.drop_box.driver import DropBoxDriver
from devices.drivers.drop_box.reports import DropMark
from devices.drivers.reader_board.driver import ReaderBoardDriver
from devices.drivers.shoe import ShoeDriver
from devices.drivers.shuffler import ShufflerDriver
from devices.link.driver import LinkDriver
from devices.supervisor import Supervisor

LINK_DEVICES = frozenset({"shoe", "shuffler", "dice_cup", "key_panel"})


class _Shoe(Struct):
    boot: int
    draws: int


class _Shuffler(Struct):
    boot: int
    known: int
    deck_no: int = 0
    shuffle_no: int = 0
    stacks: int = 0
    verified: bool = False
    asked: tuple[int, ...] = ()
    """The last stack that it was asked for, and whether it refused just that: asking again would only be refused again,
    as fast as the wire carries it, until something has happened."""
    refused: tuple[int, ...] = ()
    unloads: int = 0
    """The last deck that it was told to give back."""


class DeviceCommands:
    """Follows what devices told, and tells them what the table allows."""

    def __init__(self, supervisor: Supervisor, kinds: Mapping[str, str]) -> None:
        """`kinds`: what each device is, by its id."""
        self._supervisor = supervisor
        self._kinds = kinds
        self._shoes: dict[str, _Shoe] = {}
        self._shufflers: dict[str, _Shuffler] = {}

    def forget(self, device: str) -> None:
        """It is attended no more, or by another driver."""
        self._shoes.pop(device, None)
        self._shufflers.pop(device, None)

    def resume(self, marks: Mapping[str, Mapping[str, Any]], only: Collection[str] | None = None) -> None:
        """Give the drop-box sensors (or `only` those of some devices) the marks that the journal holds, so that each
        piece is counted once."""
        for device, kind in self._kinds.items():
            if kind == "drop_box" and (only is None or device in only):
                mine = {
                    sensor.rpartition(".")[2]: DropMark(**{**mark, "faults": tuple(mark["faults"])})
                    for sensor, mark in marks.items()
                    if sensor.rpartition(".")[0] == device and mark
                }
                self._supervisor.driver(device, DropBoxDriver).resume(mine)

    def applied(self, report: reports.Report) -> None:
        """A report is in the journal: from here on commands reckon with it."""
        match report:
            case reports.DeviceState(boot=int(boot), draws=int(draws)):
                self._shoes[report.device] = _Shoe(boot, draws)
            case reports.CardDrawn() | reports.Overdraw():
                self._shoes[report.device] = _Shoe(report.boot, report.draw_no)
            case reports.ShufflerStands():
                self._shufflers[report.device] = _Shuffler(
                    report.boot,
                    report.event_no,
                    report.deck_no,
                    report.shuffle_no,
                    report.stacks,
                    report.phase == "ready",
                )
            case reports.ShufflerRefused(command="dispense") if report.device in self._shufflers:
                machine = self._shufflers[report.device]
                machine.refused = machine.asked
                if report.why == "too few cards":
                    # What the table still needs comes from the dealer's hands.
                    machine.verified = False
            case reports.DeviceEvent() if report.device in self._shufflers:
                self._shuffler_did(self._shufflers[report.device], report)

    def _shuffler_did(self, machine: _Shuffler, report: reports.DeviceEvent) -> None:
        machine.boot, machine.known = report.boot, report.event_no
        match report:
            case reports.DeckLoaded():
                machine.deck_no, machine.stacks, machine.verified = report.deck_no, 0, False
                if not report.problem and not report.found:
                    self._supervisor.driver(report.device, ShufflerDriver).shuffle(
                        boot=machine.boot, deck_no=machine.deck_no, shuffle_no=machine.shuffle_no + 1
                    )
            case reports.ShuffleStarted():
                machine.shuffle_no, machine.verified = report.shuffle_no, False
            case reports.DeckVerified():
                machine.verified = not report.problem
            case reports.StackDispensed():
                machine.stacks = report.stack_no
            case reports.ShufflerJammed() | reports.ShufflerFault() | reports.DeckUnloaded():
                machine.verified = False

    def can_deal(self, device: str) -> bool:
        """Whether cards can come from it; where a shuffler jammed or holds no verified deck, the dealer's hands do."""
        return self._kinds.get(device) != "shuffler" or (device in self._shufflers and self._shufflers[device].verified)

    def cards_are_read(self) -> bool:
        """Whether a device gives the cards. While none is there, or it has no deck to deal, they are keyed by hand."""
        return any(
            state.state == "online" and self._kinds[name] in CARD_DEVICES and self.can_deal(name)
            for name, state in self._supervisor.states.items()
        )

    def follow(self, engine: TableEngine[Any]) -> None:
        """The shoe may release what the expectation allows, and not a card more; the same for a shuffler's stacks."""
        allowed = cards_allowed(engine.expectation)
        for device, shoe in self._shoes.items():
            if self._kinds.get(device) == "shoe":
                self._supervisor.driver(device, ShoeDriver).permit(shoe.draws + allowed, boot=shoe.boot)
        wanted = next((want for want in engine.expectation.wants if isinstance(want, WantCard)), None)
        is_done = engine.is_dealing and engine.round is not None and engine.round.table.deck_done
        for device, machine in self._shufflers.items():
            if is_done:
                self._unload_rest(device, machine)
            if machine.stacks and not engine.is_dealing and not engine.game.uses_shoe:
                # A deck serves one round; what is left of it is no deck.
                machine.verified = False
            if not machine.verified or wanted is None:
                continue
            machine.asked = (machine.boot, machine.known, machine.deck_no, machine.stacks + 1, wanted.count)
            if machine.asked != machine.refused:
                self._supervisor.driver(device, ShufflerDriver).dispense(
                    boot=machine.boot,
                    known=machine.known,
                    deck_no=machine.deck_no,
                    up_to=machine.stacks + 1,
                    size=wanted.count,
                )

    def _unload_rest(self, device: str, machine: _Shuffler) -> None:
        """What is left of the deck that was dealt from; one that was loaded meanwhile waits for the next round."""
        if machine.verified and machine.stacks and machine.unloads != machine.deck_no:
            machine.unloads = machine.deck_no
            self._supervisor.driver(device, ShufflerDriver).unload(boot=machine.boot, deck_no=machine.deck_no)

    def can_blink(self, device: str) -> bool:
        """Whether it has a way to show where it is: all on the device link, and each drop box by its sensor's name."""
        name, _, box = device.partition(".")
        kind = self._kinds.get(name)
        if kind == "drop_box":
            return box in self._supervisor.driver(name, DropBoxDriver).boxes
        return kind in LINK_DEVICES and not box

    def blink(self, device: str, seconds: int) -> None:
        """Let it show where it is, if it is there."""
        name, _, box = device.partition(".")
        if self._kinds[name] == "drop_box":
            self._supervisor.driver(name, DropBoxDriver).blink(box, seconds)
        else:
            self._supervisor.driver(name, LinkDriver).blink(seconds)  # type: ignore[type-abstract]

    def show(self, view: View) -> None:
        """The reader boards show what the screens show."""
        for device, kind in self._kinds.items():
            if kind == "reader_board":
                content = board_content(view)
                self._supervisor.driver(device, ReaderBoardDriver).set_content(content)
