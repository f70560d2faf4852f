"""The second verifier: one file that knows nothing of Cutcard finds what Cutcard finds, and checks signatures too."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.board_key import BoardKey
from controller.journal import Journal, verify_journal
from controller.journal.checkpoint import BadCheckpoint, contradiction, keep, own_file, read_checkpoint, signed
from controller.mqtt.envelope import payload
from tests.support.journals import AT, change, open_journal, started, write
from tests.support.project import ROOT

PROGRAM = ROOT / "controller" / "journal" / "verify_journal.py"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def checked(path: Path, *options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(PROGRAM), str(path), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def finds(path: Path, *options: object) -> str:
    """What it finds wrong."""
    done = checked(path, *options)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def a_checkpoint(journal: Journal, folder: Path) -> bytes:
    return signed(journal, journal.tip, AT, BoardKey.load_or_create(folder))


def played(path: Path, entries: int = 40) -> bytes:
    """A closed journal and its last checkpoint, which is kept beside it."""
    with open_journal(path) as journal:
        journal.append_now(0, started(test=True), [b'{"kind":"street","name":"\xc3\xa9 \\"[{,"}'])
        write(journal, range(entries))
        journal.append_now(3, started(test=False), [])
        write(journal, range(5))
        last = a_checkpoint(journal, path.parent)
    keep(own_file(path), last)
    return last


def test_it_is_short_and_uses_the_standard_library_alone() -> None:
    lines = PROGRAM.read_text().splitlines()
    assert len(lines) < 250
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= {"__future__", "argparse", "hashlib", "json", "sqlite3", "struct", "sys", "pathlib"}


def test_a_good_journal_is_whole_with_both_heads_and_its_checkpoint(path: Path) -> None:
    checkpoint = read_checkpoint(played(path))
    with open_journal(path) as journal:
        head, link = journal.head, journal.public_head.link
        assert contradiction(journal, checkpoint) is None
    done = checked(path, "--key", checkpoint.key)
    assert done.returncode == 0, done.stderr
    assert f"entry {head.n} of journal {checkpoint.journal}, signed by {checkpoint.key}, is in this" in done.stdout
    assert done.stdout.endswith(
        f"journal {checkpoint.journal}, link {link.hex()}\n{head.n} entries, {head.seq} events, {head.hash.hex()}\n"
    )


def test_a_journal_that_was_cut_at_its_end_is_rolled_back(path: Path) -> None:
    checkpoint = read_checkpoint(played(path))
    change(path, "DELETE FROM entry WHERE n > 30")
    assert f"ROLLED BACK. {own_file(path)}: entry {checkpoint.entry}" in finds(path)
    with Journal.read(path) as reader:
        reader.verify_chain()
        text = contradiction(reader, checkpoint)
    assert text is not None and "the journal ends with entry 30: it is an older copy, or was cut" in text


@pytest.mark.clause("VA-11VAC20-20-380")
def test_a_journal_put_back_from_yesterday_and_continued_is_rolled_back(path: Path, tmp_path: Path) -> None:
    yesterday = tmp_path / "yesterday.db"
    with open_journal(path) as journal:
        write(journal, range(20))
    shutil.copy(path, yesterday)
    with open_journal(path) as journal:
        write(journal, range(20, 30))
        checkpoint = a_checkpoint(journal, tmp_path)
        messages = [payload(event, historical=False) for event in journal.events_from(1, 1000)]
    shutil.copy(yesterday, path)
    with open_journal(path) as journal:
        write(journal, range(30, 50))
        text = contradiction(journal, read_checkpoint(checkpoint))
    keep(tmp_path / "kept", checkpoint)
    assert text is not None and "it was written anew" in text
    assert "ROLLED BACK" in finds(path, "--checkpoint", tmp_path / "kept")
    assert checked(path).returncode == 0, "the journal alone does not show it"
    (tmp_path / "messages").write_bytes(b"\n".join(messages))
    assert "was published otherwise" in finds(path, "--messages", tmp_path / "messages")
    (tmp_path / "messages").write_bytes(b"\n".join(messages[:15]))
    assert "15 messages are as" in checked(path, "--messages", tmp_path / "messages").stdout


def test_another_journal_in_its_place_is_named(path: Path, tmp_path: Path) -> None:
    checkpoint = played(path)
    new = tmp_path / "new" / "journal.db"
    new.parent.mkdir()
    with Journal.open(new, site="bay101", table="t7") as journal:
        write(journal, range(60))
        text = contradiction(journal, read_checkpoint(checkpoint))
    keep(own_file(new), checkpoint)
    assert "this is another journal" in finds(new)
    assert text is not None and "this is another journal" in text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET input = replace(input, '9h', '8h') WHERE n = 7",
        "UPDATE entries SET events = replace(events, '9h', '8h') WHERE n = 6",
        "UPDATE entries SET events = 'nonsense' WHERE n = 6",
        "UPDATE entries SET input = 'nonsense' WHERE n = 6",
        "UPDATE entry SET sealed = substr(sealed, 1, 70) WHERE n = 6",
        "UPDATE entry SET sealed = CAST(substr(sealed, 1, 49) || x'00' || substr(sealed, 51) AS BLOB) WHERE n = 6",
        "DELETE FROM entry WHERE n = 6",
        "UPDATE meta SET value = 't8' WHERE name = 'table'",
        "UPDATE meta SET value = 'abababababababababababababababab' WHERE name = 'journal'",
    ],
)
def test_a_journal_that_was_changed_is_named_with_the_entry(path: Path, statement: str) -> None:
    played(path)
    change(path, statement)
    assert "is not as it was written, or one before it is missing" in finds(path)


@pytest.mark.parametrize("field", [b'"entry":4', b'"hash":"', b'"link":"', b'"at":1', b'"key":"', b'"signature":"'])
def test_a_checkpoint_that_was_changed_is_refused_by_both(path: Path, field: bytes) -> None:
    checkpoint = played(path)
    place = checkpoint.index(field) + len(field)
    other = b"5" if checkpoint[place : place + 1] != b"5" else b"6"
    changed = checkpoint[:place] + other + checkpoint[place + 1 :]
    with pytest.raises(BadCheckpoint):
        read_checkpoint(changed)
    keep(own_file(path), changed)
    assert "the signature is wrong" in finds(path)


def test_what_is_no_checkpoint_is_refused_and_so_is_another_boards(path: Path, tmp_path: Path) -> None:
    checkpoint = read_checkpoint(played(path))
    other = BoardKey.load_or_create(tmp_path / "other").public
    assert f"signed by {checkpoint.key}, not by the board with the key {other}" in finds(path, "--key", other)
    for nonsense in (b"", b"{}", b"[1]", b"\xff\xfe", b'{"entry":1,"signature":"zz","key":"00"}'):
        own_file(path).write_bytes(nonsense)
        assert "this is no checkpoint" in finds(path)
        with pytest.raises(BadCheckpoint):
            read_checkpoint(nonsense)


def test_its_ed25519_agrees_with_the_library() -> None:
    rng = random.Random(8032)
    for _ in range(12):
        private = Ed25519PrivateKey.from_private_bytes(rng.randbytes(32))
        public, message = private.public_key().public_bytes_raw(), rng.randbytes(rng.randrange(200))
        signature = private.sign(message)
        assert verify_journal.is_signed(public, message, signature)
        for wrong in (
            (public, message + b"x", signature),
            (rng.randbytes(32), message, signature),
            (public, message, flipped(signature, rng)),
            (flipped(public, rng), message, signature),
            (public, message, signature[:32] + plus_order(signature[32:])),
            (public, message, signature[:63]),
            (public, message, b""),
        ):
            assert verify_journal.is_signed(*wrong) is by_library(*wrong) is False


def test_its_ed25519_passes_the_vectors_of_rfc_8032() -> None:
    """Section 7.1, tests 1 to 3: public key, message, signature."""
    for public, message, signature in (
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a",
        ),
    ):
        assert verify_journal.is_signed(*map(bytes.fromhex, (public, message, signature)))


def flipped(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def plus_order(scalar: bytes) -> bytes:
    """The same number modulo the order: a second signature, if it were taken."""
    return (int.from_bytes(scalar, "little") + verify_journal.ORDER).to_bytes(32, "little")


def by_library(public: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
