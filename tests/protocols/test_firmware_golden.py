"""The page of authentication and firmware says what our code does: messages, words, bytes, and the image."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import structs

from protocols import shoe
from protocols.errors import ProtocolError
from protocols.firmware import authentication, companion, image
from protocols.firmware import messages as firmware
from protocols.firmware.companion import CODEC, decode, encode
from protocols.link import identity
from protocols.link.frames import MAX_PAYLOAD, MIN_MAX_PAYLOAD
from tests.support.wire.golden import page, rows

PAGE = page("firmware.md")
ROWS = rows("firmware.md")
MESSAGE_TYPES = {message.__name__: message for message in CODEC.message_types}
COUNTED = bytes(range(32))
"""The key, and the signer's seed, of the page."""


def golden(name: str, fields: dict[str, object]) -> companion.Message:
    """A row's message; what is bytes in the type is hex on the page."""
    kinds = {field.name: field.type for field in structs.fields(MESSAGE_TYPES[name])}
    values = {key: bytes.fromhex(str(value)) if kinds[key] is bytes else value for key, value in fields.items()}
    return msgspec.convert(values, type=MESSAGE_TYPES[name])


@pytest.mark.parametrize(("name", "fields", "payload"), ROWS)
def test_a_golden_message_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], payload: bytes
) -> None:
    message = golden(name, fields)

    assert encode(message) == payload
    assert decode(payload) == message


def test_the_page_shows_every_message_and_lists_it_with_its_kind() -> None:
    assert {name for name, _, _ in ROWS} == set(MESSAGE_TYPES)
    listed = dict(re.findall(r"^\| (0x[0-9a-f]{2}) \| (\w+) \| (?:controller|device) \|", PAGE, re.MULTILINE))
    shown = {f"0x{payload[0]:02x}": name for name, _, payload in ROWS}
    assert listed == shown


def test_the_kinds_are_those_that_are_reserved_and_no_device_uses_them() -> None:
    assert all(companion.is_companion(payload) for _, _, payload in ROWS)
    assert not any(
        companion.is_companion(payload) for name in ("shoe.md", "shuffler.md") for _, _, payload in rows(name)
    )
    assert not companion.is_companion(b"")


def test_the_proofs_on_the_page_are_made_with_its_key_over_the_shoes_identity() -> None:
    (identity_bytes,) = (payload for name, _, payload in rows("shoe.md") if name == "Identity")
    assert isinstance(shoe.decode(identity_bytes), identity.Identity)
    messages = [golden(name, fields) for name, fields, _ in ROWS]
    (challenge,) = (m for m in messages if isinstance(m, authentication.Challenge))
    responses = {m.holding: m for m in messages if isinstance(m, authentication.Response)}
    proofs = [m for m in messages if isinstance(m, authentication.Proof)]

    for response, proof, seals in (
        (responses["key"], proofs[0], False),
        (responses["key and seal"], proofs[1], True),
    ):
        exchange = authentication.Exchange(
            challenge.nonce, response.nonce, shoe.DEVICE_CLASS, identity_bytes, seals=seals
        )
        assert exchange.device_mac(COUNTED) == response.mac
        assert exchange.controller_mac(COUNTED) == proof.mac
    assert exchange.session_key(COUNTED).hex() in page("device-link.md")


def test_the_image_on_the_page_is_whole_and_signed_by_the_key_on_the_page() -> None:
    file = bytes.fromhex("".join(re.findall(r"^    ((?:[0-9a-f]{2} )+[0-9a-f]{2})$", PAGE, re.MULTILINE)))
    (public,) = re.findall(r"^    ([0-9a-f]{64})$", PAGE, re.MULTILINE)
    found = image.unpack(file)
    signer = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))

    signer.verify(found.signature, found.signed)
    assert Ed25519PrivateKey.from_private_bytes(COUNTED).public_key() == signer
    assert found.manifest.key_id == image.id_of(bytes.fromhex(public))
    assert f"key id `{found.manifest.key_id.hex()}`" in PAGE
    assert f"whose id is `{found.id.hex()}`" in PAGE
    assert (found.manifest.model, found.manifest.version) == ("EZ-READ 8", "2.4.0")
    assert (found.manifest.hardware_from, found.manifest.hardware_to, found.manifest.security) == (1, 3, 2)
    assert image.pack(found.manifest, found.signature, file[image.HEAD_SIZE :]) == found


def test_the_head_lies_as_the_table_on_the_page_says() -> None:
    table = re.findall(r"^\| (\d+) \| (\d+) \| ([\w ]+) \|", PAGE, re.MULTILINE)
    places = [(int(offset), int(size)) for offset, size, _ in table]
    assert places[0] == (0, 4)
    assert all(here[0] + here[1] == there[0] for here, there in pairwise(places))
    assert sum(places[-1]) == image.HEAD_SIZE
    assert next(offset for offset, _, field in table if field == "signature") == str(image.SIGNED_SIZE)


def words(heading: str) -> dict[str, int]:
    """A table of the page whose rows are a number and its word."""
    (cells,) = re.findall(rf"^\| {heading} \| \| \|\n\|---\|---\|---\|\n((?:\| \d+ \| .*\n)+)", PAGE, re.MULTILINE)
    return {word: int(number) for number, word in re.findall(r"^\| (\d+) \| ([\w ]+?) \|", cells, re.MULTILINE)}


def test_phases_refusals_and_what_a_device_holds_are_numbered_as_on_the_page() -> None:
    assert words("phase") == firmware.PHASE_BYTES
    assert words("refused") == {why: byte for why, byte in firmware.REFUSAL_BYTES.items() if why}
    (holding,) = re.findall(r"holding \(1: ([^)]*)\)", PAGE)
    assert holding == ", ".join(f"{byte} {word}" for word, byte in authentication.HOLDING_BYTES.items())


def test_the_smallest_device_can_take_every_message() -> None:
    longest = firmware.FirmwareState(
        bootloader="x" * 16,
        hardware=1,
        security=1,
        image=bytes(8),
        phase="receiving",
        update=b"u" * 8,
        size=image.MAX_FILE,
        have=0,
        chunk=firmware.MIN_CHUNK,
    )
    assert len(encode(longest)) <= MIN_MAX_PAYLOAD
    for size, most in ((firmware.MIN_CHUNK, MIN_MAX_PAYLOAD), (firmware.MAX_CHUNK, MAX_PAYLOAD)):
        assert len(encode(firmware.UpdateChunk(update=b"u" * 8, offset=0, data=bytes(size)))) == most


@pytest.mark.parametrize(
    ("message", "says"),
    [
        (firmware.UpdateBegin(update=bytes(8), size=300), "an update has an id"),
        (firmware.UpdateBegin(update=b"u" * 8, size=image.MAX_FILE + 1), "the size is in range"),
        (firmware.UpdateChunk(update=b"u" * 8, offset=0, data=b""), "1 to 227 bytes"),
        (firmware.UpdateChunk(update=b"u" * 8, offset=0, data=bytes(228)), "1 to 227 bytes"),
        (authentication.Response(holding="no key", nonce=b"n" * 16, mac=bytes(32)), "nothing to prove"),
    ],
)
def test_what_the_page_does_not_allow_is_not_sent(message: companion.Message, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        encode(message)


HEAD_OF_STATE = "85 05 31 2e 30 2e 32 00 02 00 00 00 02 01 02 03 04 05 06 07 08"


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        ("06 00 00 00 00 00 00 00 00 00 00 00 b5", "an update has an id"),
        (f"{HEAD_OF_STATE} 00 e4 3e 31 07 dc d7 6a db 00 00 00 b5 00 00 00 a0 40", "idle"),
        (f"{HEAD_OF_STATE} 01 e4 3e 31 07 dc d7 6a db 00 00 00 05 00 00 00 a0 40", "beyond"),
        ("84 02", "ProofState"),
        ("0f", "0x0f"),
    ],
)
def test_what_the_page_does_not_allow_is_not_understood(payload: str, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        decode(bytes.fromhex(payload))
