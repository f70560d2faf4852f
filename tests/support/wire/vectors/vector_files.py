"""The files of docs/protocols/vectors, as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from protocols import dice_cup, key_panel, shoe
from protocols.firmware import companion
from protocols.link import frames
from protocols.link.frames import Data, Hello, Reset
from protocols.link.framing import MAX_BODY, encode_frame
from protocols.link.messages import Codec
from protocols.link.seal import MAX_SEALED_PAYLOAD, Seal
from protocols.shuffler import codec as shuffler
from tests.support.project import ROOT
from tests.support.wire.golden import rows
from tests.support.wire.vectors import refused_bytes
from tests.support.wire.vectors.conversations import SESSION, SESSION_KEY, TOKEN, sessions

FOLDER = ROOT / "docs" / "protocols" / "vectors"

CODECS: Mapping[str, Codec[Any]] = {
    "shoe": shoe.CODEC,
    "shuffler": shuffler.CODEC,
    "dice-cup": dice_cup.CODEC,
    "key-panel": key_panel.CODEC,
    "firmware": companion.CODEC,
}
"""The pages whose golden rows are messages on the link."""
OTHERS = ("drop-box", "reader-board", "card-reader")
"""Those with a standard of their own."""


def documents() -> dict[str, str]:
    """Text by file name."""
    made = {f"{name}.json": _messages(name, codec) for name, codec in CODECS.items()}
    made |= {f"{name}.json": {"page": f"{name}.md", "golden": list(_golden(name, "wire"))} for name in OTHERS}
    made["device-link.json"] = _link()
    return {name: json.dumps({"format": 1, **made[name]}, indent=1) + "\n" for name in sorted(made)}


def _golden(name: str, what: str) -> Iterator[dict[str, Any]]:
    for message, fields, data in rows(f"{name}.md"):
        yield {"name": message, "fields": fields, what: data.hex(" ")}


def _messages(name: str, codec: Codec[Any]) -> dict[str, Any]:
    golden = list(_golden(name, "bytes"))
    refused = list(refused_bytes.messages(codec, [bytes.fromhex(row["bytes"]) for row in golden]))
    return {"page": f"{name}.md", "golden": golden, "must_reject": refused}


def _link() -> dict[str, Any]:
    golden = list(_golden("device-link", "wire"))
    return {
        "page": "device-link.md",
        "crc_check": {"of": "123456789", "is": "d6 4e"},
        "cobs": [{"data": "11 00 00 22", "stuffed": "02 11 01 02 22"}],
        "golden": [row for row in golden if not row["name"].startswith("Sealed")],
        "session_key": SESSION_KEY.hex(),
        "golden_sealed": [row for row in golden if row["name"].startswith("Sealed")],
        "longest": list(_longest()),
        "no_good_frame": list(refused_bytes.framings()),
        "good_frame_to_ignore": list(refused_bytes.bodies()),
        "bad_seal": list(_bad_seals()),
        "guarded": _guarded(),
        "sessions": list(sessions()),
    }


def _longest() -> Iterator[dict[str, Any]]:
    ends = b"\0" + b"\1" * 238 + b"\0"
    fills = {"without a zero": b"\x5a" * 240, "all zeros": bytes(240), "a zero at each end": ends}
    for name, payload in fills.items():
        frame = Data(SESSION, 255, 255, payload)
        yield {"name": f"DATA with 240 bytes, {name}", "wire": encode_frame(frames.encode(frame)).hex(" ")}
    sealed = Seal(SESSION_KEY, "device").close(frames.encode(Data(SESSION, 0, 0, b"\x5a" * MAX_SEALED_PAYLOAD)))
    assert len(sealed) == MAX_BODY
    yield {"name": f"sealed DATA with {MAX_SEALED_PAYLOAD} bytes", "wire": encode_frame(sealed).hex(" ")}
    reset = Reset(TOKEN, 1, 1, 1, 64)
    yield {"name": "RESET of a small controller", "wire": encode_frame(frames.encode(reset)).hex(" ")}
    hello = Hello(0xFFFFFFFF, TOKEN, 1, 255, 64, 1)
    yield {"name": "HELLO with the largest session and window", "wire": encode_frame(frames.encode(hello)).hex(" ")}


def _bad_seals() -> Iterator[dict[str, Any]]:
    """Frames that end a sealed session of which frame number 1 of the device was accepted."""
    seal = Seal(SESSION_KEY, "device")
    first = seal.close(frames.encode(Data(SESSION, 0, 0, b"\x84\x01")))
    second = bytearray(seal.close(frames.encode(Data(SESSION, 1, 0, b"\x84\x01"))))
    second[-1] ^= 1
    ours = Seal(SESSION_KEY, "controller").close(frames.encode(Data(SESSION, 1, 0, b"\x84\x01")))
    plain = frames.encode(Data(SESSION, 1, 0, b"\x84\x01"))
    for reason, body in (
        ("its number was accepted before", first),
        ("one bit of the tag is wrong", bytes(second)),
        ("sealed as the controller, which is the other end", ours),
        ("DATA without a seal", plain),
    ):
        yield {"reason": reason, "after": encode_frame(first).hex(" "), "wire": encode_frame(body).hex(" ")}


def _guarded() -> dict[str, Any]:
    """Challenge, response, proof and session key of firmware.md, all from the same inputs."""
    by_name: dict[str, list[str]] = {}
    for name, _, data in rows("firmware.md"):
        by_name.setdefault(name, []).append(data.hex(" "))
    identity = next(data for name, _, data in rows("shoe.md") if name == "Identity")
    return {
        "page": "firmware.md, sections 2 and 8",
        "device_key": bytes(range(32)).hex(),
        "device_class": 1,
        "identity": identity.hex(" "),
        "challenge": by_name["Challenge"][0],
        "responses": by_name["Response"],
        "proofs": by_name["Proof"],
        "session_key": SESSION_KEY.hex(),
    }
