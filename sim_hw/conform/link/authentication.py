"""Who the device is, and whom it obeys: firmware.md, sections 1 and 2.

Played last, because the proof makes a device guarded.
"""

from __future__ import annotations

import hmac
from typing import Any

from msgspec.structs import replace

from protocols.firmware import authentication as wire
from protocols.firmware import companion
from protocols.firmware.messages import UpdateBegin
from protocols.link.seal import Seal
from sim_hw.conform.hands import POWER_CYCLE
from sim_hw.conform.link.bench import IDENTIFY, STATUS_REQUEST, LinkBench, Session
from sim_hw.conform.requirement import Broken, NotPlayed, inspected, must
from sim_hw.conform.wrong import patched, with_property

UPDATE = bytes(range(1, 9))


def need_key(bench: LinkBench) -> bytes:
    bench.need_firmware_page()
    if bench.key is None:
        raise NotPlayed("needs the device's key: --key FILE")
    return bench.key


async def fresh(bench: LinkBench) -> Session:
    """A session in which nobody has proved anything yet."""
    need_key(bench)
    return await bench.open()


def _constant_nonce(device: Any, right: Any) -> Any:
    return lambda size: bytes(range(size))


@must("FW-1", "2", wrong=patched("keyholder._rng.randbytes", _constant_nonce))
async def nonce(bench: LinkBench) -> None:
    """The nonce of a Response is random, and new for each."""
    session = await fresh(bench)
    nonces = {(await bench.challenge(session))[1].nonce for _ in range(3)}
    if len(nonces) < 3:
        raise Broken("three Responses to have three nonces", f"{len(nonces)}")


def _other_mac(device: Any, right: Any) -> Any:
    def challenged(*arguments: Any) -> Any:
        response = right(*arguments)
        return replace(response, mac=response.mac[::-1])

    return challenged


@must("FW-2", "2", wrong=patched("keyholder.challenged", _other_mac))
async def mac(bench: LinkBench) -> None:
    """The mac of the Response is the HMAC-SHA256 of the page, over challenge, response, class and Identity."""
    key = need_key(bench)
    exchange, response = await bench.challenge(await fresh(bench))
    if not hmac.compare_digest(response.mac, exchange.device_mac(key)):
        raise Broken(f"mac {exchange.device_mac(key).hex()}", response.mac.hex())


def _believes(when: str) -> Any:
    """Accepts a proof that it should not."""

    def make(device: Any, right: Any) -> Any:
        def shown(proof: wire.Proof, *, is_sealed: bool = False) -> wire.ProofState:
            holder = device.keyholder
            exchange = holder._exchange
            state: wire.ProofState = right(proof, is_sealed=is_sealed)
            match when:
                case "wrong":
                    accepted = exchange is not None and (is_sealed or not exchange.seals)
                case "unasked":
                    accepted = state.accepted or exchange is None
                case "unsealed":
                    accepted = state.accepted or (
                        exchange is not None and proof.mac == exchange.controller_mac(holder.key)
                    )
                case _:
                    accepted = state.accepted
            if accepted and not state.accepted:
                return wire.ProofState(accepted=True)
            return state

        return shown

    return patched("keyholder.shown", make)


async def _proof(bench: LinkBench, session: Session, mac: bytes) -> bool:
    state = companion.decode(await session.ask(companion.encode(wire.Proof(mac=mac))))
    assert isinstance(state, wire.ProofState)
    return state.accepted


@must("FW-3", "2", wrong=_believes("wrong"))
async def wrong_proof(bench: LinkBench) -> None:
    """A Proof with a wrong mac is not accepted."""
    key = need_key(bench)
    session = await fresh(bench)
    exchange, _ = await bench.challenge(session)
    _seal(session, exchange, key)
    if await _proof(bench, session, bytes(32)):
        raise Broken("accepted = 0 for a mac of zeros", "accepted = 1")


def _seal(session: Session, exchange: wire.Exchange, key: bytes) -> None:
    if exchange.seals:
        session.seal = Seal(exchange.session_key(key), "controller")


@must("FW-4", "2", wrong=_believes("unasked"))
async def proof_without_challenge(bench: LinkBench) -> None:
    """A Proof without a Challenge before it in the session is not accepted."""
    session = await fresh(bench)
    if await _proof(bench, session, bytes(range(32))):
        raise Broken("accepted = 0 for a Proof without a Challenge", "accepted = 1")


@must("FW-5", "2", wrong=_believes("unsealed"))
async def unsealed_proof(bench: LinkBench) -> None:
    """A device that has offered to seal refuses a Proof that did not come in a sealed frame."""
    key = need_key(bench)
    session = await fresh(bench)
    exchange, _ = await bench.challenge(session)
    if not exchange.seals:
        raise NotPlayed("the device does not offer to seal its sessions")
    if await _proof(bench, session, exchange.controller_mac(key)):
        raise Broken("accepted = 0 for an unsealed Proof", "accepted = 1")


def _updates_for_all(device: Any, right: Any) -> Any:
    def commanded(command: Any, *, is_proved: bool, is_busy: bool) -> Any:
        return right(command, is_proved=is_proved or isinstance(command, UpdateBegin), is_busy=is_busy)

    return commanded


@must("FW-6", "2", wrong=patched("bootloader.commanded", _updates_for_all))
async def no_update_before_proof(bench: LinkBench) -> None:
    """A device with a key executes no command of section 5 before a Proof in this session."""
    session = await fresh(bench)
    answer = await session.ask(b"\x06" + UPDATE + (512).to_bytes(4))
    if answer[-1] != 1:
        raise Broken("UpdateBegin to be refused: 1, not proved", f"refused {answer[-1]}")


@must(
    "FW-7",
    "2",
    wrong=patched("keyholder.shown", lambda device, right: lambda proof, *, is_sealed=False: _refuse(right, proof)),
)
async def right_proof(bench: LinkBench) -> None:
    """A Proof with the right mac is accepted."""
    session = await fresh(bench)
    if not await bench.prove(session):
        raise Broken("accepted = 1 for the right mac", "accepted = 0")


def _refuse(right: Any, proof: Any) -> Any:
    return right(proof, is_sealed=False)


def _power_opens(device: Any, right: Any) -> Any:
    def power_off(**how: Any) -> None:
        right(**how)
        device.keyholder.is_guarded = False

    return power_off


@must("FW-8", "2", wrong=patched("_power_off", _power_opens))
async def guarded_for_good(bench: LinkBench) -> None:
    """The first accepted Proof makes the device guarded, through power cuts."""
    if not await bench.prove(await fresh(bench)):
        raise NotPlayed("the device accepts no proof")
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    _, response = await bench.challenge(await fresh(bench))
    if not response.is_guarded:
        raise Broken("holding 2 or 4 (guarded) after a power cycle", f"holding {response.holding!r}")


def _talks_to_all(device: Any, right: Any) -> Any:
    def received(data: bytes) -> None:
        if data == STATUS_REQUEST and device.keyholder.is_closed:
            device._answer(device._status())
        else:
            right(data)

    return received


@must("FW-9", "1", wrong=patched("link._on_message", _talks_to_all))
async def guarded_is_silent(bench: LinkBench) -> None:
    """A guarded device answers only Identify, FirmwareRequest, Challenge and Proof before the Proof."""
    if "guarded" not in bench.holding and not await bench.prove(await fresh(bench)):
        raise NotPlayed("the device accepts no proof")
    session = await fresh(bench)
    await session.say(STATUS_REQUEST)
    await bench.pause(0.5)
    if session.said:
        raise Broken("nothing of a guarded device before the proof", f"0x{session.said[0].kind:02x}")
    await session.ask(IDENTIFY)
    await session.ask(b"\x05")


def _proved_for_good(device: Any) -> None:
    with_property("takes_updates", lambda holder, right: right or holder.is_guarded)(device.keyholder)


@must("FW-10", "2", wrong=_proved_for_good)
async def proof_of_one_session(bench: LinkBench) -> None:
    """A Proof is valid for its session: in the next one the device is closed again."""
    if not await bench.prove(await fresh(bench)):
        raise NotPlayed("the device accepts no proof")
    session = await fresh(bench)
    answer = await session.ask(b"\x08" + UPDATE)
    if answer[-1] != 1:
        raise Broken("refused 1, not proved, in the next session", f"refused {answer[-1]}")


inspected(
    "FW-11",
    "2",
    "The key is 32 random bytes; no message reads or writes it, and macs are compared in constant time.",
    "what a message cannot do cannot be shown by messages: look at the firmware",
    home=__name__,
)
