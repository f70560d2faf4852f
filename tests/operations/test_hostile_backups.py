"""`cutcard restore` against hostile backups: each is refused in a plain sentence, and nothing is written anywhere.

The corpus has two halves. An attacker with a memory stick cannot sign: what he changes is found by the signature or by
the digests. The second half is signed with the right key all the same, as if a board's key had been stolen: the names,
sizes and kinds of file are checked without trust in the signature.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from controller.admin.manifest import MANIFEST, SIGNATURE, BackupFile, Manifest, encoded, signature_of
from controller.board_key import BoardKey
from controller.cli.main import main
from tests.operations.test_backup import CONFIG, Board, backed_up, one_round
from tests.recorder.test_journal_rotation_table import at_table

STRANGER = b'{"people": [{"name": "mallory", "role": "floor"}]}\n'


class Stick:
    """A backup on a memory stick that somebody else has had in his hands."""

    def __init__(self, backup: Path, key: BoardKey) -> None:
        self.backup, self.key = backup, key
        for file in backup.iterdir():
            file.chmod(0o600)

    @property
    def manifest(self) -> Manifest:
        return msgspec.json.decode((self.backup / MANIFEST).read_bytes(), type=Manifest)

    def write(self, manifest: bytes, key: BoardKey | None = None) -> None:
        """A manifest with a fitting signature."""
        (self.backup / MANIFEST).write_bytes(manifest)
        (self.backup / SIGNATURE).write_bytes(signature_of(key or self.key, manifest))

    def list_file(self, name: str, size: int | None = None, digest: str = "0" * 64) -> None:
        """A signed manifest that has this file too."""
        found = self.manifest
        real = found.files.get(name, BackupFile(0, digest))
        files = {**found.files, name: BackupFile(real.size if size is None else size, real.sha256)}
        self.write(encoded(msgspec.structs.replace(found, files=files)))

    def replace(self, name: str, make: Callable[[Path], object]) -> None:
        (self.backup / name).unlink()
        make(self.backup / name)

    @property
    def archive(self) -> str:
        return min(self.manifest.archives)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Board, Path]:
    """A board and its backup."""
    folder = tmp_path_factory.mktemp("made")
    board = Board(folder / "board")
    board.config.write_text(CONFIG)
    board.data.mkdir()
    (board.data / "staff.json").write_text("{}\n")
    at_table(board.journal, one_round)
    (folder / "stick").mkdir()
    return board, backed_up(board, folder / "stick")


@pytest.fixture
def stick(made: tuple[Board, Path], tmp_path: Path) -> Stick:
    board, backup = made
    key = BoardKey.load(board.data)
    assert key is not None
    return Stick(shutil.copytree(backup, tmp_path / "stick" / backup.name), key)


@pytest.fixture
def new(tmp_path: Path) -> Board:
    return Board(tmp_path / "new")


def everything(folder: Path) -> dict[str, str]:
    """All that is below a folder, with kind, mode and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        is_readable = stat.S_ISREG(state.st_mode) and state.st_size < 1 << 24
        content = hashlib.sha256(path.read_bytes()).hexdigest() if is_readable else ""
        found[str(path)] = f"{state.st_mode:o} {state.st_uid} {state.st_nlink} {state.st_size} {content}"
    return found


def expect_refusal(
    stick: Stick, board: Board, text: str, capsys: pytest.CaptureFixture[str], signed_by: str | None = None
) -> None:
    before = everything(board.folder.parent)
    restore = ["restore", str(stick.backup), "--config", str(board.config)]
    assert main([*restore, "--signed-by", signed_by or stick.key.public]) == 2
    said = capsys.readouterr().err
    assert text in said and "Traceback" not in said
    assert everything(board.folder.parent) == before


def test_the_corpus_would_be_restored_if_it_were_not_changed(stick: Stick, new: Board) -> None:
    assert main(["restore", str(stick.backup), "--config", str(new.config), "--signed-by", stick.key.public]) == 0
    assert sorted(path.name for path in new.data.iterdir()) == ["journal.db", "staff.json"]


# Without the board's key


def names_a_file_outside(stick: Stick) -> None:
    manifest = (stick.backup / MANIFEST).read_bytes()
    (stick.backup.parent / "evil").write_bytes(STRANGER)
    (stick.backup / MANIFEST).write_bytes(manifest.replace(b'"staff.json"', b'"../evil"'))


def adds_somebody_to_the_staff(stick: Stick) -> None:
    (stick.backup / "staff.json").write_bytes(STRANGER)


def adds_somebody_to_the_staff_and_fits_the_manifest(stick: Stick) -> None:
    (stick.backup / "staff.json").write_bytes(STRANGER)
    found = stick.manifest
    files = {**found.files, "staff.json": BackupFile(len(STRANGER), hashlib.sha256(STRANGER).hexdigest())}
    (stick.backup / MANIFEST).write_bytes(encoded(msgspec.structs.replace(found, files=files)))


def is_signed_by_a_stranger(stick: Stick) -> None:
    own = BoardKey.load_or_create(stick.backup.parent / "own")
    shutil.rmtree(stick.backup.parent / "own")
    stick.write((stick.backup / MANIFEST).read_bytes(), own)


def has_a_signature_for_another_purpose(stick: Stick) -> None:
    manifest = (stick.backup / MANIFEST).read_bytes()
    forged = {"board": stick.key.public, "signature": stick.key.sign("checkpoint", manifest)}
    (stick.backup / SIGNATURE).write_bytes(msgspec.json.encode(forged))


def has_no_signature(stick: Stick) -> None:
    (stick.backup / SIGNATURE).unlink()


def has_an_empty_signature(stick: Stick) -> None:
    (stick.backup / SIGNATURE).write_bytes(b'{"board": "", "signature": ""}')


def has_a_nested_signature(stick: Stick) -> None:
    (stick.backup / SIGNATURE).write_bytes(b"[" * 1000)


def has_an_endless_signature(stick: Stick) -> None:
    with (stick.backup / SIGNATURE).open("wb") as file:
        file.truncate(1 << 40)


def has_an_endless_manifest(stick: Stick) -> None:
    with (stick.backup / MANIFEST).open("wb") as file:
        file.truncate(1 << 40)


def has_a_manifest_that_is_a_link(stick: Stick) -> None:
    (stick.backup / MANIFEST).rename(stick.backup.parent / "elsewhere")
    (stick.backup / MANIFEST).symlink_to(stick.backup.parent / "elsewhere")


def has_a_manifest_that_is_a_pipe(stick: Stick) -> None:
    stick.replace(MANIFEST, os.mkfifo)


def is_a_link_to_a_backup(stick: Stick) -> None:
    stick.backup.rename(stick.backup.with_name("real"))
    stick.backup.symlink_to(stick.backup.with_name("real"))


def grows(stick: Stick) -> None:
    with (stick.backup / "staff.json").open("ab") as file:
        file.truncate(1 << 40)


def is_cut(stick: Stick) -> None:
    os.truncate(stick.backup / "journal.db", 4096)


def has_another_byte_in_its_journal(stick: Stick) -> None:
    with (stick.backup / "journal.db").open("r+b") as file:
        file.seek(100)
        file.write(b"\xff")


def lacks_its_journal(stick: Stick) -> None:
    (stick.backup / "journal.db").unlink()


def has_a_link_to_a_secret(stick: Stick) -> None:
    stick.replace("staff.json", lambda path: path.symlink_to("/etc/passwd"))


def has_a_link_to_the_same_bytes(stick: Stick) -> None:
    (stick.backup / "staff.json").rename(stick.backup / "other.json")
    (stick.backup / "staff.json").symlink_to("other.json")


def has_a_pipe(stick: Stick) -> None:
    stick.replace("staff.json", os.mkfifo)


def has_a_folder(stick: Stick) -> None:
    stick.replace("staff.json", Path.mkdir)


def has_a_socket(stick: Stick) -> None:
    here = Path.cwd()
    os.chdir(stick.backup)  # a socket's name must be short
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            stick.replace("staff.json", lambda path: listening.bind(path.name))
    finally:
        os.chdir(here)


UNSIGNED = [
    (names_a_file_outside, "is not signed by the board"),
    (adds_somebody_to_the_staff, "is not as it was made: staff.json"),
    (adds_somebody_to_the_staff_and_fits_the_manifest, "is not signed by the board"),
    (is_signed_by_a_stranger, "is not signed by the board"),
    (has_a_signature_for_another_purpose, "is not signed by the board"),
    (has_no_signature, "no whole backup"),
    (has_an_empty_signature, "is not signed by the board"),
    (has_a_nested_signature, "no whole backup"),
    (has_an_endless_signature, "backup.sig is larger than 1024 bytes"),
    (has_an_endless_manifest, "backup.json is larger than"),
    (has_a_manifest_that_is_a_link, "backup.json is not an ordinary file"),
    (has_a_manifest_that_is_a_pipe, "backup.json is not an ordinary file"),
    (is_a_link_to_a_backup, "cannot be restored"),
    (grows, "is not as it was made: staff.json"),
    (is_cut, "is not as it was made: journal.db"),
    (has_another_byte_in_its_journal, "is not as it was made: journal.db"),
    (lacks_its_journal, "cannot be restored: journal.db"),
    (has_a_link_to_a_secret, "staff.json is not an ordinary file"),
    (has_a_link_to_the_same_bytes, "staff.json is not an ordinary file"),
    (has_a_pipe, "staff.json is not an ordinary file"),
    (has_a_folder, "staff.json is not an ordinary file"),
    (has_a_socket, "staff.json is not an ordinary file"),
]


@pytest.mark.parametrize(("change", "text"), UNSIGNED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_an_attacker_does_to_a_backup_is_refused(
    stick: Stick, new: Board, change: Callable[[Stick], None], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(stick)
    expect_refusal(stick, new, text, capsys)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: a backup with a device in it was not tested")
def test_a_backup_with_a_device_in_it_is_refused(stick: Stick, new: Board, capsys: pytest.CaptureFixture[str]) -> None:
    stick.replace("staff.json", lambda path: os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5)))
    expect_refusal(stick, new, "staff.json is not an ordinary file", capsys)


# With the board's key


NAMES = [
    "../evil",
    "../../etc/cron.d/evil",
    "/etc/cron.d/evil",
    "./staff.json",
    "sub/staff.json",
    "..",
    ".",
    "",
    "board.key",
    "backup.json",
    "token",
    "journal.db-wal",
    "journal.db.lock",
    "journal.db.archive-0000000001-0000000002/../x",
    "journal.db.archive-0000000001-0000000002\n",
    "journal.db.archive-1-2",
    "journal.db.archive-٠٠٠٠٠٠٠٠٠١-0000000002",
    "staff.json\x00.txt",
    "STAFF.JSON",
    "x" * 300,
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_name_that_no_backup_has_is_refused_whoever_signed_it(
    stick: Stick, new: Board, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (stick.backup.parent / "evil").write_bytes(STRANGER)
    stick.list_file(name)
    expect_refusal(stick, new, "names a file that no backup has", capsys)


@pytest.mark.parametrize(
    ("name", "size", "text"),
    [
        ("journal.db", 1 << 60, "MB. Make room"),
        ("staff.json", 1 << 40, "staff.json in"),
        ("cutcard.toml", 1 << 40, "cutcard.toml in"),
        ("device-keys.json", 1 << 40, "device-keys.json in"),
        ("journal.db.archive-0000000001-0000000002", 1 << 62, "MB. Make room"),
    ],
)
def test_sizes_are_bounded_whoever_signed_them(
    stick: Stick, new: Board, *, name: str, size: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stick.list_file(name, size)
    expect_refusal(stick, new, text, capsys)


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        (b"", "backup.json in"),
        (b"[" * 100_000, "backup.json in"),
        (b'{"files": {}}', "backup.json in"),
        (b"\xff\xfe", "backup.json in"),
    ],
    ids=["empty", "nested", "incomplete", "no-text"],
)
def test_a_signed_manifest_that_is_none_is_refused(
    stick: Stick, new: Board, manifest: bytes, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stick.write(manifest)
    expect_refusal(stick, new, text, capsys)


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("made_at", 10**18, "backup.json in"),
        ("made_at", -1, "backup.json in"),
        ("entries", 2**70, "backup.json in"),
        ("entries", 1, "does not end as its manifest states"),
        ("hash", "00" * 32, "does not end as its manifest states"),
        ("site", "../../elsewhere", "The backup is of table"),
        ("more", 1, "backup.json in"),
    ],
)
def test_a_signed_manifest_with_a_field_that_cannot_be_is_refused(
    stick: Stick, new: Board, *, field: str, value: object, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = msgspec.json.decode((stick.backup / MANIFEST).read_bytes())
    stick.write(msgspec.json.encode({**fields, field: value}))
    expect_refusal(stick, new, text, capsys)


def test_an_archive_that_the_journal_does_not_know_is_refused(
    stick: Stick, new: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "journal.db.archive-0000000001-0000000002"
    (stick.backup / name).write_bytes(b"")
    stick.list_file(name, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    expect_refusal(stick, new, "are not those of its journal", capsys)


def test_a_log_beside_the_journal_of_a_backup_is_not_applied(
    stick: Stick, new: Board, made: tuple[Board, Path]
) -> None:
    """SQLite would replay it into the journal, if it opened the journal where it is."""
    (stick.backup / "journal.db-wal").write_bytes(b"\x37\x7f\x06\x82" * 1000)
    assert main(["restore", str(stick.backup), "--config", str(new.config), "--signed-by", stick.key.public]) == 0
    assert sorted(path.name for path in new.data.iterdir()) == ["journal.db", "staff.json"]


# Which key is accepted


def test_a_board_without_a_key_takes_no_backup_on_its_own_word(
    stick: Stick, new: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    for config in ("", CONFIG):
        if config:
            new.config.write_text(config)
        assert main(["restore", str(stick.backup), "--config", str(new.config)]) == 2
        assert "This board has no key of its own yet" in capsys.readouterr().err
        assert not new.data.exists()


def test_a_board_takes_its_own_backup_and_no_other_unless_a_person_names_the_key(
    stick: Stick, new: Board, made: tuple[Board, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    new.config.write_text(CONFIG)
    BoardKey.load_or_create(new.data)
    restore = ["restore", str(stick.backup), "--config", str(new.config)]
    assert main(restore) == 2
    assert "name the key that is in that board's papers" in capsys.readouterr().err
    shutil.copy(made[0].data / "board.key", new.data)
    assert main(restore) == 0


@pytest.mark.parametrize("key", ["", "mallory", "ab" * 31, "zz" * 32, "../key"])
def test_a_key_that_is_none_is_refused(stick: Stick, new: Board, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    restore = ["restore", str(stick.backup), "--config", str(new.config)]
    assert main([*restore, "--signed-by", key]) == 2
    assert "is no board's key" in capsys.readouterr().err


def test_a_key_may_be_typed_in_groups(stick: Stick, new: Board) -> None:
    groups = " ".join(stick.key.public.upper()[at : at + 8] for at in range(0, 64, 8))
    assert main(["restore", str(stick.backup), "--config", str(new.config), "--signed-by", groups]) == 0


# The data folder


@pytest.mark.parametrize("name", ["staff.json", "journal.db", "restoring", "journal.db-wal"])
def test_a_link_in_the_data_folder_is_not_followed(
    stick: Stick, new: Board, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    new.config.write_text(CONFIG)
    new.data.mkdir()
    outside = new.folder / "outside"
    outside.mkdir()
    (outside / "kept").write_bytes(b"kept")
    (new.data / name).symlink_to(outside if name == "restoring" else new.folder / "made-by-restore")
    expect_refusal(stick, new, str(new.data if name != "staff.json" else name), capsys)


def test_what_fails_in_the_middle_is_taken_back(
    stick: Stick, new: Board, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file but the journal has its name already when the disk fails."""
    link, names = os.link, []

    def fails(source: str, to: str, **folders: object) -> None:
        if to == "journal.db":
            raise OSError(5, "Input/output error", to)
        names.append(to)
        link(source, to, **folders)  # type: ignore[arg-type]

    monkeypatch.setattr("os.link", fails)
    expect_refusal(stick, new, "journal.db: Input/output error", capsys)
    assert names == ["staff.json", "cutcard.toml"]


def test_a_staff_file_that_is_there_is_kept_and_it_says_so(
    stick: Stick, new: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    new.config.write_text(CONFIG)
    new.data.mkdir()
    (new.data / "staff.json").write_text("{ }\n")
    assert main(["restore", str(stick.backup), "--config", str(new.config), "--signed-by", stick.key.public]) == 0
    assert "staff.json was there and was left as it is" in capsys.readouterr().out
    assert (new.data / "staff.json").read_text() == "{ }\n"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that every user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: giving the files to the service's user was not tested")
def test_root_restores_for_the_owner_of_the_data_folder(stick: Stick, open_folder: Path) -> None:
    board = Board(open_folder / "board")
    board.config.write_text(CONFIG)
    board.data.mkdir()
    os.chown(board.data, 4711, 4712)
    assert main(["restore", str(stick.backup), "--config", str(board.config), "--signed-by", stick.key.public]) == 0
    for file in board.data.iterdir():
        state = file.lstat()
        assert (state.st_uid, state.st_gid, state.st_nlink) == (4711, 4712, 1)
        assert stat.S_IMODE(state.st_mode) == 0o600
    assert os.geteuid() == 0


# Making a backup


def test_a_link_in_place_of_the_staff_file_is_not_copied_to_the_stick(
    board: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "to").mkdir()
    (board.data / "staff.json").symlink_to("/etc/passwd")
    assert main(["backup", str(tmp_path / "to"), "--config", str(board.config)]) == 2
    assert "staff.json is not an ordinary file" in capsys.readouterr().err
    assert list((tmp_path / "to").iterdir()) == []


@pytest.fixture
def board(tmp_path: Path) -> Board:
    board = Board(tmp_path / "board")
    board.config.write_text(CONFIG)
    board.data.mkdir()
    at_table(board.journal, one_round)
    return board
