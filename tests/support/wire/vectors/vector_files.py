"""The files of docs/protocols/vectors, as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from protocols import dice_cup, key_panel, shoe
from protocols.firmware import companion
from protocols.firmware.messages import MAX_CHUNK, UpdateChunk
from protocols.link import frames
from protocols.link.frames import Data, Hello, Reset
from protocols.link.framing import MAX_BODY, encode_frame
from protocols.link.identity import MAX_NAME, Identity
from protocols.link.messages import Codec
from protocols.link.seal import MAX_SEALED_PAYLOAD, Seal
from protocols.shuffler import codec as shuffler
from protocols.shuffler import messages
from protocols.values import Value
from tests.support.project import ROOT
from tests.support.wire.golden import rows
from tests.support.wire.vectors import refused_bytes
from tests.support.wire.vectors.conversations import SESSION, SESSION_KEY, TOKEN, each_message_once, sessions
from tests.support.wire.vectors.standards import standards

FOLDER = ROOT / "docs" / "protocols" / "vectors"

CODECS: Mapping[str, Codec[Any]] = {
    "shoe": shoe.CODEC,
    "shuffler": shuffler.CODEC,
    "dice-cup": dice_cup.CODEC,
    "key-panel": key_panel.CODEC,
    "firmware": companion.CODEC,
}
"""The pages whose golden rows are messages on the link."""
CLASSES = {"shoe": 1, "shuffler": 2, "dice-cup": 3, "key-panel": 4, "firmware": 1}
"""The device class in the HELLO of their sessions."""
NAME = "N" * MAX_NAME
_HEAD = {"boot": 0xFFFFFFFF, "event_no": 0xFFFFFFFF, "uptime_ms": 0xFFFFFFFFFFFFFFFF}
LONGEST: Mapping[str, list[Value]] = {
    "shoe": [],
    "shuffler": [
        messages.StackDispensed(**_HEAD, deck_no=1, stack_no=1, size=60, cards=("As*",) * 64),
        messages.DeckVerified(
            **_HEAD,
            deck_no=0xFFFFFFFF,
            shuffle_no=0xFFFFFFFF,
            order="sorted",
            back="other",
            count=1000,
            expected=1000,
            boxed=1000,
            other_backs=1000,
            unread=1000,
            missing=("As*",) * messages.MAX_NAMED,
            extra=("As*",) * messages.MAX_NAMED,
            more=True,
        ),
    ],
    "dice-cup": [dice_cup.SetDice(dice=dice_cup.MAX_DICE)],
    "key-panel": [],
    "firmware": [UpdateChunk(update=b"\xff" * 8, offset=0xFFFFFF00, data=b"\x5a" * MAX_CHUNK)],
}
"""Besides the Identity of sixteen characters each."""


def documents() -> dict[str, str]:
    """Text by file name."""
    made = {f"{name}.json": _messages(name, codec) for name, codec in CODECS.items()}
    made |= {f"{name}.json": document for name, document in standards().items()}
    made["device-link.json"] = _link()
    made["example-shuffler.json"] = _example()
    return {name: json.dumps({"format": 1, **made[name]}, indent=1) + "\n" for name in sorted(made)}


def _golden(name: str, what: str) -> Iterator[dict[str, Any]]:
    for message, fields, data in rows(f"{name}.md"):
        yield {"name": message, "fields": fields, what: data.hex(" ")}


def _messages(name: str, codec: Codec[Any]) -> dict[str, Any]:
    golden = list(_golden(name, "bytes"))
    refused = list(refused_bytes.messages(codec, [bytes.fromhex(row["bytes"]) for row in golden]))
    identity = Identity(boot=0xFFFFFFFF, model=NAME, serial=NAME, firmware=NAME)
    long = [*([identity] if Identity in codec.message_types else []), *LONGEST[name]]
    return {
        "page": f"{name}.md",
        "golden": golden,
        "must_reject": refused,
        "longest": [{"name": type(one).__name__, "bytes": codec.encode(one).hex(" ")} for one in long],
        "sessions": [each_message_once(CLASSES[name], [bytes.fromhex(row["bytes"]) for row in golden])],
    }


def _example() -> dict[str, Any]:
    """The example vendor's line."""
    golden = list(_golden("example-shuffler", "wire"))
    good = bytes.fromhex(golden[2]["wire"])
    rejected = (
        (good[:-1] + b"X", "another check"),
        (good[:5] + bytes((good[5] ^ 1,)) + good[6:], "one bit is wrong"),
        (good[:-3], "no end"),
        (b"\x02" + b"1" * 210 + b"\x0300", "more than 200 characters"),
    )
    return {
        "page": "example-shuffler.md",
        "golden": golden,
        "must_reject": [{"wire": wire.hex(" "), "reason": reason} for wire, reason in rejected],
    }


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
