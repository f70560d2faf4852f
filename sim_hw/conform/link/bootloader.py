"""The bootloader: every refusal, which of two comes first, what survives the power. firmware.md, sections 3 to 6."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from protocols.firmware import companion, image
from protocols.firmware import messages as wire
from protocols.link.frames import Ack
from protocols.link.identity import Identity
from sim_hw.conform.hands import POWER_CYCLE
from sim_hw.conform.link.bench import _IDENTITY, IDENTIFY, LinkBench, Session
from sim_hw.conform.requirement import Broken, Mutation, NotPlayed, expect, inspected, must
from sim_hw.conform.wrong import patched

TRIAL_S = 60.0
MOST = 16_777_216
"""Bytes of the longest image file that the page allows."""
HEAD = 160
"""Bytes in which the head is complete."""
STRANGER = Ed25519PrivateKey.from_private_bytes(b"a signer whom no device trusts..")


class Update:
    """A session in which images can be sent, and what is known of the device."""

    def __init__(self, bench: LinkBench, session: Session, identity: Identity, state: wire.FirmwareState) -> None:
        self.bench, self.session, self.identity, self.state = bench, session, identity, state

    @classmethod
    async def of(cls, bench: LinkBench) -> Update:
        bench.need_firmware_page()
        session = await bench.open()
        if bench.key is not None and not await bench.prove(session):
            raise NotPlayed("the device accepts no proof")
        if bench.key is None and bench.holding != "no key":
            raise NotPlayed("needs the device's key: --key FILE")
        await session.ask(b"\x02")
        await bench.pause(0.1)
        identity = _IDENTITY.decode(await session.ask(IDENTIFY))
        update = cls(bench, session, identity, await _state(session))
        if update.state.phase == "trial":
            await update.confirm(update.state.update)
            update.state = await _state(session)
        return update

    @classmethod
    async def with_image(cls, bench: LinkBench, name: str) -> tuple[Update, bytes]:
        update = await cls.of(bench)
        return update, update.image(name=name)

    @classmethod
    async def part_received(cls, bench: LinkBench, name: str) -> tuple[Update, bytes]:
        """The first 60 bytes of an image are in the device."""
        update, data = await cls.with_image(bench, name)
        await update.begin(data)
        await update.chunk(data, 0, 60)
        return update, data

    @classmethod
    async def received(cls, bench: LinkBench, name: str) -> tuple[Update, bytes]:
        """A whole image is in the device."""
        update, data = await cls.with_image(bench, name)
        await update.whole(data)
        return update, data

    @classmethod
    async def verified(cls, bench: LinkBench, name: str) -> tuple[Update, bytes]:
        """A whole image is in the device, and is verified."""
        update, data = await cls.received(bench, name)
        expect((await update.verify(data)).refused, None, "UpdateVerify of a good image")
        return update, data

    def image(self, *, signer: Ed25519PrivateKey | None = None, name: str = "a", **fields: Any) -> bytes:
        """A good image for this device; `fields` replace those of its head."""
        if self.bench.signer is None:
            raise NotPlayed("needs an image signer that the device trusts: --signer FILE")
        key = signer or Ed25519PrivateKey.from_private_bytes(self.bench.signer)
        payload = f"conformance image {name}\n".encode() * 12
        manifest = image.Manifest(
            **{
                "device_class": self.bench.profile.device_class,
                "hardware_from": 0,
                "hardware_to": 0xFFFF,
                "security": self.state.security,
                "size": len(payload),
                "model": self.identity.model,
                "version": f"9.{name}",
                "sha256": sha256(payload).digest(),
                "key_id": image.id_of(key.public_key().public_bytes_raw()),
                **fields,
            }
        )
        signature = key.sign(image.encode_manifest(manifest))
        return image.pack(manifest, signature, payload).data

    async def send(self, message: companion.Request) -> Any:
        return companion.decode(await self.session.ask(companion.encode(message), 30.0))

    async def begin(self, data: bytes, size: int | None = None) -> wire.UpdateBegun:
        size = len(data) if size is None else size
        return await self.send(wire.UpdateBegin(update=image.id_of(data), size=size))  # type: ignore[no-any-return]

    async def chunk(self, data: bytes, start: int, end: int, update: bytes | None = None) -> wire.UpdateHave:
        message = wire.UpdateChunk(update=update or image.id_of(data), offset=start, data=data[start:end])
        return await self.send(message)  # type: ignore[no-any-return]

    async def head(self, data: bytes) -> wire.UpdateHave:
        """Begun, and sent until the head is complete: the answer to the chunk that completes it."""
        begun = await self.begin(data)
        if begun.refused is not None:
            raise Broken("UpdateBegin of a new image to be taken", f"refused: {begun.refused}")
        have = begun.have
        for _ in range(8):
            came = await self.chunk(data, have, min(have + 50, HEAD))
            if came.refused not in (None, "gap") or came.have >= HEAD:
                return came
            have = came.have
        raise Broken(f"have {HEAD}", f"have {have}")

    async def whole(self, data: bytes) -> None:
        """Every byte of it in the device."""
        have = (await self.begin(data)).have
        while have < len(data):
            came = await self.chunk(data, have, have + min(self.state.chunk, 120))
            if came.refused not in (None, "gap") or came.have == have:
                raise Broken(f"the chunk at {have} to be taken", f"have {came.have}, refused: {came.refused}")
            have = came.have

    async def verify(self, data: bytes) -> wire.UpdateVerified:
        return await self.send(wire.UpdateVerify(update=image.id_of(data)))  # type: ignore[no-any-return]

    async def activate(self, data: bytes) -> wire.UpdateActivating:
        return await self.send(wire.UpdateActivate(update=image.id_of(data)))  # type: ignore[no-any-return]

    async def confirm(self, update: bytes) -> wire.UpdateConfirmed:
        return await self.send(wire.UpdateConfirm(update=update))  # type: ignore[no-any-return]

    async def is_idle(self, after: str) -> None:
        phase = (await _state(self.session)).phase
        if phase != "idle":
            raise Broken(f"phase idle after {after}", f"phase {phase}")

    async def on_trial(self, data: bytes) -> Update:
        """Received, verified, activated: the session with the new image."""
        await self.whole(data)
        refused = (await self.verify(data)).refused or (await self.activate(data)).refused
        if refused is not None:
            raise Broken("a good image to be verified and activated", f"refused: {refused}")
        self.bench.session = None
        await self.bench.pause(1.0)
        session = await self.bench.open()
        if self.bench.key is not None:
            await self.bench.prove(session)
        await session.ask(b"\x02")
        await self.bench.pause(0.1)
        return Update(self.bench, session, self.identity, await _state(session))


async def _state(session: Session) -> wire.FirmwareState:
    state = companion.decode(await session.ask(b"\x05"))
    assert isinstance(state, wire.FirmwareState)
    return state


def has_60(came: wire.UpdateHave) -> None:
    if came.have != 60:
        raise Broken("have 60", f"have {came.have}")


def says(
    instead: wire.Refusal | None,
    of: wire.Refusal | None,
    *commands: type,
    when: Callable[[Any, Any], bool] = lambda device, command: True,
) -> Mutation:
    """The bootloader gives another refusal to these commands."""

    def make(device: Any, right: Any) -> Any:
        def commanded(command: Any, **how: Any) -> Any:
            holds = isinstance(command, commands) and when(device, command)
            outcome = right(command, **how)
            if holds and outcome.refused == of:
                return replace(outcome, refused=instead)
            return outcome

        return commanded

    return patched("bootloader.commanded", make)


@must("FW-20", "5", wrong=says("busy", "no room", wire.UpdateBegin))
async def no_room(bench: LinkBench) -> None:
    """UpdateBegin of more than a slot holds is refused: 4, no room."""
    update = await Update.of(bench)
    expect((await update.begin(b"large", size=MOST)).refused, "no room", "UpdateBegin of 16 MiB")


@must("FW-21", "5", wrong=says("busy", "no image", wire.UpdateBegin))
async def no_image_to_begin(bench: LinkBench) -> None:
    """UpdateBegin of a file that is no longer than a head is refused: 5, no image."""
    update = await Update.of(bench)
    expect((await update.begin(b"small", size=156)).refused, "no image", "UpdateBegin of 156 bytes")


@must("FW-22", "5", wrong=says("gap", "other update", wire.UpdateChunk, wire.UpdateVerify, wire.UpdateActivate))
async def other_update(bench: LinkBench) -> None:
    """A command for another update than the one in progress is refused: 2, other update."""
    update = await Update.of(bench)
    other = b"not begun"
    expect((await update.chunk(other, 0, 5)).refused, "other update", "a chunk of an update that was not begun")
    expect((await update.verify(other)).refused, "other update", "UpdateVerify of it")
    expect((await update.activate(other)).refused, "other update", "UpdateActivate of it")


def _beyond(device: Any, command: Any) -> bool:
    return isinstance(command, wire.UpdateChunk) and command.offset > device.bootloader.state().have


@must("FW-23", "5", wrong=says("busy", "gap", wire.UpdateChunk, when=_beyond))
async def gap(bench: LinkBench) -> None:
    """A chunk beyond have is refused: 3, gap, and have is the offset to continue from."""
    update, data = await Update.part_received(bench, "gap")
    came = await update.chunk(data, 90, 120)
    expect(came.refused, "gap", "a chunk at 90 when have is 60")
    has_60(came)


def _below(device: Any, command: Any) -> bool:
    if not isinstance(command, wire.UpdateChunk) or device.bootloader.state().phase != "receiving":
        return False
    return bool(command.offset + len(command.data) <= device.bootloader.state().have)


@must("FW-24", "5", wrong=says("gap", None, wire.UpdateChunk, when=_below))
async def chunk_again(bench: LinkBench) -> None:
    """A chunk completely below have was written before: the answer is have, without a refusal."""
    update, data = await Update.part_received(bench, "again")
    came = await update.chunk(data, 0, 60)
    expect(came.refused, None, "a chunk that was written before")
    has_60(came)


def _across(device: Any, command: Any) -> bool:
    if not isinstance(command, wire.UpdateChunk):
        return False
    have: int = device.bootloader.state().have
    return bool(command.offset < have < command.offset + len(command.data))


@must("FW-25", "5", wrong=says(None, "gap", wire.UpdateChunk, when=_across))
async def chunk_across(bench: LinkBench) -> None:
    """A chunk that begins below have and ends beyond it is refused: 3, gap; nothing of it is written."""
    update, data = await Update.part_received(bench, "across")
    came = await update.chunk(data, 30, 90)
    expect(came.refused, "gap", "a chunk from 30 to 90 when have is 60")
    has_60(came)


def _begins_anew(device: Any, right: Any) -> Any:
    def begin(command: Any) -> Any:
        loader = device.bootloader
        if loader.state().phase == "receiving" and loader.state().update == command.update:
            loader._note(loader._state.idle())
        return right(command)

    return begin


@must("FW-26", "5", wrong=patched("bootloader._begin", _begins_anew))
async def begin_again(bench: LinkBench) -> None:
    """UpdateBegin of an update that is being received changes nothing, and its answer has the offset to go on from."""
    update, data = await Update.part_received(bench, "resume")
    begun = await update.begin(data)
    if begun.have != 60 or begun.refused:
        raise Broken("have 60 in UpdateBegun", f"have {begun.have}, refused: {begun.refused}")


def _goes_on(device: Any, right: Any) -> Any:
    """The answer has the offset of the update before."""

    def commanded(command: Any, **how: Any) -> Any:
        before = device.bootloader.state()
        outcome = right(command, **how)
        if (
            isinstance(outcome, wire.UpdateBegun)
            and outcome.refused is None
            and before.have == 60
            and before.update != command.update
        ):
            return replace(outcome, have=60)
        return outcome

    return commanded


@must("FW-27", "5", wrong=patched("bootloader.commanded", _goes_on))
async def begin_another(bench: LinkBench) -> None:
    """UpdateBegin of another update erases the other slot: have is 0."""
    update, _ = await Update.part_received(bench, "first")
    begun = await update.begin(update.image(name="second"))
    if begun.have or begun.refused:
        raise Broken("have 0 in UpdateBegun of another update", f"have {begun.have}, refused: {begun.refused}")


def _wrong_head(of: wire.Refusal) -> Mutation:
    instead: wire.Refusal = "busy"
    return patched(
        "bootloader._head_problem", lambda device, right: lambda: instead if (found := right()) == of else found
    )


async def refused_head(bench: LinkBench, wanted: wire.Refusal, why: str, data: bytes, update: Update) -> None:
    expect((await update.head(data)).refused, wanted, why)
    await update.is_idle(f"a head with {why}")


@must("FW-28", "4", wrong=_wrong_head("no image"))
async def head_no_image(bench: LinkBench) -> None:
    """A head with a wrong magic is refused when it is complete: 5, no image; the update is dropped."""
    update = await Update.of(bench)
    await refused_head(bench, "no image", "a wrong magic", b"XXFW" + update.image(name="magic")[4:], update)


@must("FW-29", "4", wrong=_wrong_head("other device"))
async def head_other_device(bench: LinkBench) -> None:
    """An image for another device class or model is refused: 6."""
    update = await Update.of(bench)
    await refused_head(bench, "other device", "another model", update.image(model="OTHER", name="model"), update)


@must("FW-30", "4", wrong=_wrong_head("other hardware"))
async def head_other_hardware(bench: LinkBench) -> None:
    """An image for another revision of the board is refused: 7."""
    update = await Update.of(bench)
    other = update.state.hardware + 1
    data = update.image(hardware_from=other, hardware_to=other, name="board")
    await refused_head(bench, "other hardware", "another revision of the board", data, update)


@must("FW-31", "4", wrong=_wrong_head("unknown signer"))
async def head_unknown_signer(bench: LinkBench) -> None:
    """An image of a signer that the device does not know is refused: 8."""
    update = await Update.of(bench)
    await refused_head(bench, "unknown signer", "an unknown signer", update.image(signer=STRANGER, name="sign"), update)


@must("FW-32", "4", wrong=_wrong_head("bad signature"))
async def head_bad_signature(bench: LinkBench) -> None:
    """An image whose signature is wrong is refused: 9."""
    update = await Update.of(bench)
    data = update.image(name="forged")
    await refused_head(bench, "bad signature", "a wrong signature", data[:92] + data[92:156][::-1] + data[156:], update)


def _board_after_signer(device: Any, right: Any) -> Any:
    def problem() -> Any:
        found = right()
        if found == "other hardware":
            loader = device.bootloader
            key_id = loader.flash.read(loader._state.other, 92)[84:]
            return found if key_id in loader._signers else "unknown signer"
        return found

    return problem


@must("FW-33", "4", wrong=patched("bootloader._head_problem", _board_after_signer))
async def head_precedence(bench: LinkBench) -> None:
    """Of several things wrong with a head the first is named: device, hardware, signer, signature, security."""
    update = await Update.of(bench)
    other = update.state.hardware + 1
    board: dict[str, Any] = {"hardware_from": other, "hardware_to": other}
    for wanted, later, data in (
        ("other device", ("other hardware", "unknown signer"), update.image(model="X", signer=STRANGER, **board)),
        ("other hardware", ("unknown signer",), update.image(signer=STRANGER, **board)),
    ):
        refused = (await update.head(data)).refused
        if refused in later:
            raise Broken(f"{wanted}, which is checked first", str(refused))


@must("FW-34", "5", wrong=says("not verified", "gap", wire.UpdateVerify))
async def verify_too_early(bench: LinkBench) -> None:
    """UpdateVerify before all bytes are there is refused: 3, gap."""
    update, data = await Update.with_image(bench, "early")
    await update.head(data)
    expect((await update.verify(data)).refused, "gap", "UpdateVerify before the last byte")


@must("FW-35", "5", wrong=says("bad signature", "bad digest", wire.UpdateVerify))
async def bad_digest(bench: LinkBench) -> None:
    """A payload that does not match the head is refused at UpdateVerify: 11; the update is dropped."""
    update = await Update.of(bench)
    data = update.image(name="digest")
    data = data[:-1] + bytes((data[-1] ^ 1,))
    await update.whole(data)
    expect((await update.verify(data)).refused, "bad digest", "a payload with a changed byte")
    await update.is_idle("a bad digest")


@must("FW-36", "5", wrong=says("busy", "not verified", wire.UpdateActivate))
async def activate_too_early(bench: LinkBench) -> None:
    """UpdateActivate before UpdateVerify is refused: 12, not verified."""
    update, data = await Update.received(bench, "hasty")
    expect((await update.activate(data)).refused, "not verified", "UpdateActivate before UpdateVerify")


@must("FW-37", "5", wrong=says("busy", "not verified", wire.UpdateConfirm))
async def confirm_too_early(bench: LinkBench) -> None:
    """UpdateConfirm of an update that is not on trial is refused: 12, not verified."""
    update, data = await Update.received(bench, "sure")
    expect((await update.confirm(image.id_of(data))).refused, "not verified", "UpdateConfirm before the trial")


def _is_verified(device: Any, command: Any) -> bool:
    return bool(device.bootloader.state().phase == "verified")


@must("FW-38", "5", wrong=says("not verified", None, wire.UpdateVerify, when=_is_verified))
async def verify_again(bench: LinkBench) -> None:
    """UpdateVerify of a verified update: success, and nothing changes."""
    update, data = await Update.verified(bench, "twice")
    expect((await update.verify(data)).refused, None, "UpdateVerify of a verified image")


def _writes_verified(device: Any, command: Any) -> bool:
    return _is_verified(device, command) and bool(command.offset)


@must("FW-39", "5", wrong=says("busy", None, wire.UpdateChunk, when=_writes_verified))
async def chunk_after_verify(bench: LinkBench) -> None:
    """A chunk after verification is below have: it is answered with have, and changes nothing."""
    update, data = await Update.verified(bench, "late")
    changed = bytearray(data)
    changed[170] ^= 1
    came = await update.chunk(bytes(changed), 160, 180, image.id_of(data))
    expect(came.refused, None, "a chunk of a verified image")
    if came.have != len(data) or (await _state(update.session)).phase != "verified":
        raise Broken(f"have {len(data)}, phase verified", f"have {came.have}")


@must(
    "FW-40",
    "4",
    wrong=patched(
        "bootloader.commanded",
        lambda device, right: lambda command, *, is_proved, is_busy: right(command, is_proved=is_proved, is_busy=False),
    ),
)
async def busy(bench: LinkBench) -> None:
    """UpdateActivate is refused while an event is unacknowledged: 14, busy."""
    update, data = await Update.verified(bench, "busy")
    session = update.session
    session.takes = False
    mark = len(bench.seen)
    await bench.cause()
    if not await session.offered(mark):
        raise Broken("an event", "none")
    await bench.pause(0.2)
    # All but the newest: a window that is full of events leaves no room for the answer.
    session.expected = (await session.offered(mark))[-1].seq
    session.send(Ack(session.number, session.expected))
    session.data(companion.encode(wire.UpdateActivate(update=image.id_of(data))))

    def answers() -> list[bytes]:
        return [seen.payload for seen in bench.since(mark) if seen.kind == 3 and seen.payload[:1] == b"\x89"]

    await bench.until(lambda: bool(answers()), 3.0)
    if not answers() or answers()[0][-1] != 14:
        session.takes = True
        await bench.pause(2.5)
        raise Broken("refused 14, busy", f"refused {answers()[0][-1]}" if answers() else "no answer")


def _forgets_progress(device: Any, right: Any) -> Any:
    def boot() -> None:
        right()
        loader = device.bootloader
        if loader.state().phase == "receiving":
            loader._note(loader._state.idle())

    return boot


@must("FW-41", "4", wrong=patched("bootloader.boot", _forgets_progress))
async def power_cut_while_receiving(bench: LinkBench) -> None:
    """After a power cut, have is what was recorded before it."""
    update, data = await Update.with_image(bench, "cut")
    await update.head(data)
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    state = (await Update.of(bench)).state
    if state.have != 160:
        raise Broken("have 160 after a power cut", f"have {state.have}")


@must("FW-42", "5", wrong=says("busy", "in trial", wire.UpdateBegin, wire.UpdateActivate))
async def in_trial(bench: LinkBench) -> None:
    """While an image is on trial, UpdateBegin and UpdateActivate are refused: 13, in trial."""
    update, data = await Update.with_image(bench, "trial1")
    trial = await update.on_trial(data)
    if trial.state.phase != "trial":
        raise Broken("phase trial after UpdateActivate", f"phase {trial.state.phase}")
    expect((await trial.begin(update.image(name="other"))).refused, "in trial", "UpdateBegin in a trial")
    expect((await trial.activate(data)).refused, "in trial", "UpdateActivate in a trial")
    await trial.confirm(image.id_of(data))


@must("FW-43", "4", wrong=lambda device: setattr(device, "trial_s", 10_000.0))
async def trial_ends(bench: LinkBench) -> None:
    """60 s after the restart without UpdateConfirm the device restarts, and the old image runs: phase reverted."""
    update = await Update.of(bench)
    old = update.state.image
    data = update.image(name="trial2")
    await update.on_trial(data)
    bench.session = None
    await bench.pause(TRIAL_S + 5.0)
    state = (await Update.of(bench)).state
    if state.phase != "reverted" or state.image != old:
        raise Broken("phase reverted and the old image", f"phase {state.phase}")


def _forgets_security(device: Any, right: Any) -> Any:
    def problem() -> Any:
        found = right()
        return None if found == "rolled back" else found

    return problem


@must("FW-44", "4", wrong=patched("bootloader._head_problem", _forgets_security))
async def rolled_back(bench: LinkBench) -> None:
    """The security number of a confirmed image is the device's from then on; an image with a lower one: 10."""
    update = await Update.of(bench)
    before = update.state.security
    data = update.image(security=before + 1, name="newer")
    trial = await update.on_trial(data)
    expect((await trial.confirm(image.id_of(data))).refused, None, "UpdateConfirm in a trial")
    update = await Update.of(bench)
    expect((await update.head(update.image(security=before, name="older"))).refused, "rolled back", "a lower number")


@must(
    "FW-45",
    "5",
    wrong=says("not verified", None, wire.UpdateConfirm, when=lambda device, command: not device.bootloader.in_trial),
)
async def confirm_again(bench: LinkBench) -> None:
    """UpdateConfirm of the image that runs as the active one: success, and nothing changes."""
    update = await Update.of(bench)
    if update.state.image == bytes(8):
        raise NotPlayed("the device has no id of its image: FW-46")
    expect((await update.confirm(update.state.image)).refused, None, "UpdateConfirm of the active image")


def _loses_image(device: Any, right: Any) -> Any:
    return lambda: replace(right(), image=bytes(8))


@must("FW-46", "5", wrong=patched("bootloader.state", _loses_image))
async def image_id(bench: LinkBench) -> None:
    """FirmwareState has the id of the running image, which is never zeros: an image from the factory has one too."""
    state = (await Update.of(bench)).state
    if state.image == bytes(8):
        raise Broken("the id of the running image", "zeros")


inspected(
    "FW-47",
    "4",
    "The active slot is not written; progress, trial and roles are recorded in the order of the page.",
    "the order of writes shows only when the power fails at the right moment: cut it in the firmware's own tests",
    home=__name__,
)
