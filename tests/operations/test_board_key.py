"""The board's own key: private, never replaced, one signature for one purpose."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from controller.board_key import FILE, BoardKey, is_signed, new_key, read_key
from controller.errors import UserError


def test_a_board_has_one_key_for_good(tmp_path: Path) -> None:
    assert BoardKey.load(tmp_path) is None
    key = BoardKey.load_or_create(tmp_path / "data")
    again = BoardKey.load(tmp_path / "data")
    assert again is not None and again.public == key.public == BoardKey.load_or_create(tmp_path / "data").public
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]
    assert stat.S_IMODE((tmp_path / "data" / FILE).stat().st_mode) == 0o600
    with pytest.raises(UserError, match="cannot be written"):
        new_key(tmp_path / "data" / FILE)
    assert read_key(tmp_path / "data" / FILE).public_key().public_bytes_raw().hex() == key.public


def test_a_signature_is_for_one_key_one_purpose_and_these_bytes(tmp_path: Path) -> None:
    key, other = BoardKey.load_or_create(tmp_path / "one"), BoardKey.load_or_create(tmp_path / "two")
    signature = key.sign("backup", b"files")
    assert is_signed(key.public, "backup", b"files", signature)
    assert not is_signed(key.public, "checkpoint", b"files", signature)
    assert not is_signed(key.public, "backup", b"file", signature)
    assert not is_signed(other.public, "backup", b"files", signature)
    for public, forged in ((key.public, ""), ("", signature), ("xy", signature), (key.public, "xy")):
        assert not is_signed(public, "backup", b"files", forged)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    BoardKey.load_or_create(tmp_path)
    (tmp_path / FILE).chmod(0o640)
    with pytest.raises(UserError, match="Consider its keys known"):
        BoardKey.load_or_create(tmp_path)


@pytest.mark.parametrize("content", ["hello", "a key of another kind"])
def test_what_is_no_signing_key_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    if content != "hello":
        key = ec.generate_private_key(ec.SECP256R1())
        (tmp_path / FILE).write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / FILE).chmod(0o600)
    with pytest.raises(UserError, match="no private key" if content == "hello" else "not an Ed25519 key"):
        BoardKey.load(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: giving the key to the service's user was not tested")
def test_root_makes_the_key_for_the_owner_of_the_data_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 4711, 4712)
    BoardKey.load_or_create(tmp_path)
    owner = (tmp_path / FILE).stat()
    assert (owner.st_uid, owner.st_gid) == (4711, 4712)
