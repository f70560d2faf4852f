"""A transfer and a bootloader, without a wire between them: every step of an update, and the power cut at each."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec.structs import replace

from devices.link.firmware import STUCK, Progress, Transfer, UpdateFailed
from protocols import shoe
from protocols.firmware import messages as wire
from protocols.firmware.image import HEAD_SIZE, Image, Manifest, pack
from protocols.shuffler import messages as shuffler
from sim_hw.firmware.bootloader import Bootloader, factory_image
from sim_hw.firmware.flash import Flash, PowerCut
from tests.support.wire.firmware_images import STRANGER, VENDOR, an_image

OLD = factory_image(device_class=shoe.DEVICE_CLASS, model="SIM-SHOE", version="1.0.0")
NEW = an_image("1.1.0", size=1000)
CHUNK = 128
CHUNKS = -(-len(NEW.data) // CHUNK)


def a_bootloader(*, hardware: int = 2) -> Bootloader:
    return Bootloader(OLD.data, hardware=hardware, signers=[VENDOR.public_key()], capacity=4096, chunk=CHUNK)


class Bench:
    """A device and its controller; the power comes back whenever it has gone."""

    def __init__(self, image: Image = NEW, bootloader: Bootloader | None = None) -> None:
        self.bootloader = bootloader or a_bootloader()
        self.transfer = Transfer(image, running="1.0.0")
        self.chunks_sent = 0
        self.cuts = 0
        self.ran: list[bytes] = []
        """What the device ran after each power-up."""

    def update(self) -> None:
        self.meet()
        while not self.transfer.is_over:
            try:
                self.step()
            except PowerCut:
                self.cuts += 1
                self.power_up()

    def power_up(self) -> None:
        while True:
            try:
                self.bootloader.boot()
                break
            except PowerCut:
                self.cuts += 1
        if self.bootloader.hangs:
            self.power_up()
            return
        self.ran.append(self.bootloader.running_file)
        self.transfer.gone()
        self.meet()

    def meet(self) -> None:
        self.transfer.state_is(self.bootloader.state(), self.bootloader.running.version)

    def step(self) -> None:
        command = self.transfer.command
        assert command is not None
        if isinstance(command, wire.FirmwareRequest):
            self.meet()
            return
        self.chunks_sent += isinstance(command, wire.UpdateChunk)
        answer = self.bootloader.commanded(command, is_proved=True, is_busy=False)
        self.transfer.answered(answer, 0.0)
        if isinstance(answer, wire.UpdateActivating) and answer.refused is None:
            self.power_up()


def test_an_update_ends_with_the_new_image_running_and_the_old_one_whole_beside_it() -> None:
    bench = Bench()
    bench.update()
    assert bench.transfer.progress == Progress("done", len(NEW.data), len(NEW.data))
    assert bench.bootloader.running_file == NEW.data
    assert bench.bootloader.running.version == "1.1.0"
    assert bench.bootloader.state().phase == "idle"
    assert bench.chunks_sent == CHUNKS
    bench.bootloader.boot()
    assert bench.bootloader.running_file == NEW.data


def steps_of_an_update() -> int:
    bench = Bench()
    before = bench.bootloader.flash.steps
    bench.update()
    return bench.bootloader.flash.steps - before


@pytest.mark.parametrize("step", range(steps_of_an_update()))
def test_a_power_cut_at_any_step_leaves_the_whole_old_or_the_whole_new_image_and_the_update_goes_on(step: int) -> None:
    bench = Bench()
    bench.bootloader.flash.cut_power_after(step)
    bench.update()
    assert bench.cuts == 1
    assert set(bench.ran) <= {OLD.data, NEW.data}
    assert bench.transfer.progress.stage == "done"
    assert bench.bootloader.running_file == NEW.data
    assert CHUNKS <= bench.chunks_sent <= CHUNKS + 1, "only the chunk that was being written is sent again"


@pytest.mark.parametrize("step", range(0, steps_of_an_update(), 7))
def test_a_device_that_loses_its_power_and_is_left_alone_runs_one_of_the_two_images(step: int) -> None:
    bench = Bench()
    bench.bootloader.flash.cut_power_after(step)
    with suppress(PowerCut):
        while not bench.cuts:
            bench.step()
    for _ in range(3):
        bench.bootloader.boot()
        assert bench.bootloader.running_file in (OLD.data, NEW.data)


@pytest.mark.parametrize("every", [3, 5, 8, 13])
def test_a_device_whose_power_goes_again_and_again_gets_there(every: int) -> None:
    bench = Bench()
    bench.bootloader.flash.cut_power_after(every)
    bench.meet()
    while not bench.transfer.is_over:
        try:
            bench.step()
        except PowerCut:
            bench.cuts += 1
            bench.power_up()
            assert bench.ran[-1] in (OLD.data, NEW.data)
            if bench.cuts % 3:
                # Every third time it has power for long: one that never has can be kept whole, not updated.
                bench.bootloader.flash.cut_power_after(every)
    assert bench.bootloader.running_file == NEW.data
    assert bench.cuts > 2


def test_an_image_that_does_not_come_up_once_is_tried_again() -> None:
    bench = Bench()
    bench.bootloader.fail_next_trial()
    bench.update()
    assert bench.ran == [OLD.data, NEW.data]
    assert bench.transfer.progress.stage == "done"


def test_an_image_that_never_comes_up_leaves_the_old_one_running() -> None:
    bench = Bench()
    bench.bootloader.fail_next_trial()
    started = bench.power_up

    def and_fail_again() -> None:
        started()
        bench.bootloader.fail_next_trial()

    bench.power_up = and_fail_again  # type: ignore[method-assign]
    bench.update()
    with pytest.raises(UpdateFailed, match="did not come up, and the old one runs again"):
        bench.transfer.result()
    assert bench.bootloader.running_file == OLD.data
    assert bench.bootloader.state().phase == "reverted"


def test_an_update_that_failed_before_may_be_tried_anew_without_sending_it_again() -> None:
    bootloader = a_bootloader()
    first = Bench(bootloader=bootloader)
    first.meet()
    while first.transfer.progress.stage != "activating":
        first.step()
    bootloader.commanded(wire.UpdateActivate(update=NEW.id), is_proved=True, is_busy=False)
    for _ in range(2):
        bootloader.boot()
    assert bootloader.state().phase == "reverted"

    second = Bench(bootloader=bootloader)
    second.update()
    assert second.chunks_sent == 0
    assert bootloader.running_file == NEW.data


def forged(image: Image, **changes: object) -> Image:
    """The same file with another head, whose signature is no longer good."""
    manifest: Manifest = replace(image.manifest, **changes)
    return pack(manifest, image.signature, image.data[HEAD_SIZE:])


@pytest.mark.parametrize(
    ("image", "refused"),
    [
        (an_image(model="SIM-SHUFFLER"), "other device"),
        (an_image(device_class=shuffler.DEVICE_CLASS), "other device"),
        (an_image(hardware=(3, 9)), "other hardware"),
        (an_image(key=STRANGER), "unknown signer"),
        (forged(an_image(), version="9.9.9"), "bad signature"),
        (forged(an_image(), sha256=bytes(32)), "bad signature"),
        (Image(NEW.manifest, NEW.signature, b"XXXX" + NEW.data[4:]), "no image"),
        (Image(NEW.manifest, NEW.signature, NEW.data + b"more"), "no image"),
        (Image(NEW.manifest, NEW.signature, NEW.data[:HEAD_SIZE]), "no image"),
        (an_image(size=8000), "no room"),
    ],
)
def test_an_image_that_is_not_for_this_device_is_refused_and_nothing_is_left_of_it(
    image: Image, refused: wire.Refusal
) -> None:
    bootloader = a_bootloader()
    begun = bootloader.commanded(wire.UpdateBegin(update=image.id, size=len(image.data)), is_proved=True, is_busy=False)
    assert isinstance(begun, wire.UpdateBegun)
    answer: wire.UpdateBegun | wire.UpdateHave = begun
    while answer.refused is None:
        data = image.data[answer.have : answer.have + CHUNK]
        took = bootloader.commanded(
            wire.UpdateChunk(update=image.id, offset=answer.have, data=data), is_proved=True, is_busy=False
        )
        assert isinstance(took, wire.UpdateHave)
        answer = took
    assert (answer.refused, answer.have) == (refused, 0)
    assert bootloader.state().phase == "idle"
    assert bootloader.running_file == OLD.data


def test_a_payload_that_is_not_what_was_signed_is_refused_when_it_is_verified() -> None:
    spoiled = Image(NEW.manifest, NEW.signature, NEW.data[:-1] + bytes([NEW.data[-1] ^ 1]))
    bench = Bench(spoiled)
    bench.update()
    with pytest.raises(UpdateFailed, match="did not arrive as it was sent"):
        bench.transfer.result()
    assert bench.bootloader.running_file == OLD.data
    assert bench.chunks_sent == 2 * CHUNKS, "it was sent a second time: it may have been the flash"


def test_security_numbers_only_rise_and_only_with_a_confirmed_image() -> None:
    bootloader = a_bootloader()
    Bench(an_image("1.1.0", security=3), bootloader).update()
    assert bootloader.security == 3
    older = Bench(an_image("1.0.9", security=2), bootloader)
    older.update()
    with pytest.raises(UpdateFailed, match="security number is lower"):
        older.transfer.result()
    assert bootloader.running.version == "1.1.0"
    same = Bench(an_image("1.0.9", security=3), bootloader)
    same.update()
    assert bootloader.running.version == "1.0.9", "the number alone counts, not the version"


def test_a_device_with_a_key_takes_no_command_from_a_controller_that_has_not_proved_itself() -> None:
    bootloader = a_bootloader()
    for command in (
        wire.UpdateBegin(update=NEW.id, size=len(NEW.data)),
        wire.UpdateChunk(update=NEW.id, offset=0, data=b"x"),
        wire.UpdateVerify(update=NEW.id),
        wire.UpdateActivate(update=NEW.id),
        wire.UpdateConfirm(update=NEW.id),
    ):
        assert bootloader.commanded(command, is_proved=False, is_busy=False).refused == "not proved"
    assert bootloader.state().phase == "idle"


def test_commands_out_of_turn_are_refused_and_repeated_ones_do_no_harm() -> None:
    bootloader = a_bootloader()

    def tell(
        command: wire.UpdateBegin | wire.UpdateChunk | wire.UpdateVerify | wire.UpdateActivate | wire.UpdateConfirm,
    ) -> wire.Refusal | None:
        return bootloader.commanded(command, is_proved=True, is_busy=False).refused

    begin = wire.UpdateBegin(update=NEW.id, size=len(NEW.data))
    chunks = [
        wire.UpdateChunk(update=NEW.id, offset=at, data=NEW.data[at : at + CHUNK])
        for at in range(0, len(NEW.data), CHUNK)
    ]
    assert tell(chunks[0]) == "other update"
    assert tell(begin) is None
    assert tell(chunks[1]) == "gap"
    assert tell(wire.UpdateVerify(update=NEW.id)) == "gap"
    assert tell(wire.UpdateActivate(update=NEW.id)) == "not verified"
    for chunk in chunks:
        assert tell(chunk) is None
        assert tell(chunk) is None
    assert tell(begin) is None
    assert bootloader.state().have == len(NEW.data)
    assert tell(wire.UpdateConfirm(update=NEW.id)) == "not verified"
    assert [tell(wire.UpdateVerify(update=NEW.id)) for _ in range(2)] == [None, None]
    assert bootloader.commanded(wire.UpdateActivate(update=NEW.id), is_proved=True, is_busy=True).refused == "busy"
    assert [tell(wire.UpdateActivate(update=NEW.id)) for _ in range(2)] == [None, None]
    bootloader.boot()
    assert bootloader.state().phase == "trial"
    assert tell(wire.UpdateBegin(update=b"another!", size=500)) == "in trial"
    assert tell(wire.UpdateActivate(update=NEW.id)) == "in trial"
    assert [tell(wire.UpdateConfirm(update=NEW.id)) for _ in range(2)] == [None, None]
    assert tell(wire.UpdateConfirm(update=b"another!")) == "other update"


def test_another_update_takes_the_place_of_one_that_was_left_in_the_middle() -> None:
    bootloader = a_bootloader()
    other = an_image("1.2.0", size=700)
    abandoned = Bench(bootloader=bootloader)
    abandoned.meet()
    for _ in range(4):
        abandoned.step()
    assert bootloader.state().phase == "receiving"
    Bench(other, bootloader).update()
    assert bootloader.running_file == other.data


@pytest.mark.parametrize("step", range(8))
def test_an_image_that_was_verified_and_is_being_erased_for_another_is_never_started(step: int) -> None:
    bootloader = a_bootloader()
    verified = Bench(bootloader=bootloader)
    verified.meet()
    while verified.transfer.progress.stage != "activating":
        verified.step()
    bootloader.flash.cut_power_after(step)
    with suppress(PowerCut):
        bootloader.commanded(wire.UpdateBegin(update=b"another!", size=500), is_proved=True, is_busy=False)
    bootloader.flash.cut_power_after(1000)
    bootloader.boot()
    bootloader.commanded(wire.UpdateActivate(update=NEW.id), is_proved=True, is_busy=False)
    bootloader.boot()
    assert bootloader.running_file in (OLD.data, NEW.data)


def test_a_power_that_goes_in_the_same_chunk_many_times_is_not_the_devices_fault() -> None:
    bench = Bench()
    bench.meet()
    for _ in range(3):
        bench.step()
    for _ in range(3 * STUCK):
        bench.bootloader.flash.cut_power_after(1)
        with pytest.raises(PowerCut):
            bench.step()
            bench.step()
        bench.power_up()
    bench.bootloader.flash.cut_power_after(1000)
    bench.update()
    assert bench.bootloader.running_file == NEW.data


def test_flash_is_programmed_by_clearing_bits_and_only_erasing_sets_them() -> None:
    flash = Flash(16)
    flash.program(1, 4, b"\x0f\xff")
    flash.program(1, 4, b"\xf3\x01")
    assert flash.read(1, 7) == b"\xff" * 4 + b"\x03\x01\xff"
    assert flash.read(0, 16) == b"\xff" * 16
    flash.erase(1)
    assert flash.read(1, 16) == b"\xff" * 16


def test_a_record_that_was_not_written_whole_does_not_exist() -> None:
    flash = Flash(16)
    assert flash.last_record() is None
    flash.note(b"the first record")
    flash.cut_power_after(1)
    with pytest.raises(PowerCut):
        flash.note(b"the second one")
    assert flash.last_record() == b"the first record"
    for number in range(300):
        flash.note(b"record %d" % number)
    assert flash.last_record() == b"record 299"


def test_a_device_that_does_not_keep_what_it_is_sent_ends_the_update() -> None:
    transfer = Transfer(NEW, running="1.0.0")
    transfer.state_is(a_bootloader().state(), "1.0.0")
    transfer.answered(wire.UpdateBegun(update=NEW.id, have=0), 0.0)
    for _ in range(10):
        if not transfer.is_over:
            transfer.answered(wire.UpdateHave(update=NEW.id, have=0), 0.0)
    with pytest.raises(UpdateFailed, match="does not keep what it is sent"):
        transfer.result()


def test_an_image_that_runs_under_another_name_is_not_confirmed() -> None:
    transfer = Transfer(NEW, running="1.0.0")
    state = replace(
        a_bootloader().state(), image=NEW.id, phase="trial", update=NEW.id, size=len(NEW.data), have=len(NEW.data)
    )
    transfer.state_is(state, "6.6.6")
    assert transfer.command is None
    with pytest.raises(UpdateFailed, match=r"calls itself 6\.6\.6 and should be 1\.1\.0"):
        transfer.result()


def test_a_busy_device_is_asked_again_later() -> None:
    transfer = Transfer(NEW, running="1.0.0")
    state = replace(a_bootloader().state(), phase="verified", update=NEW.id, size=len(NEW.data), have=len(NEW.data))
    transfer.state_is(state, "1.0.0")
    transfer.answered(wire.UpdateActivating(update=NEW.id, refused="busy"), 10.0)
    assert transfer.not_before > 10.0
    assert transfer.command == wire.UpdateActivate(update=NEW.id)
    transfer.answered(wire.UpdateActivating(update=NEW.id), 12.0)
    assert transfer.progress.stage == "restarting"
    assert transfer.command is None


def test_nothing_more_is_done_for_an_update_that_is_over() -> None:
    bench = Bench()
    bench.update()
    bench.transfer.fail("too late")
    bench.transfer.result()
    assert bench.transfer.command is None
    assert bench.transfer.planned is None
    assert isinstance(
        bench.bootloader.commanded(wire.UpdateConfirm(update=NEW.id), is_proved=True, is_busy=False),
        wire.UpdateConfirmed,
    )
    assert isinstance(
        bench.bootloader.commanded(wire.UpdateVerify(update=NEW.id), is_proved=True, is_busy=False), wire.UpdateVerified
    )
