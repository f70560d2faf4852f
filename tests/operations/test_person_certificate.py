"""`cutcard enroll person`: key and certificate of a person or program, signed here or by somebody else, and renewed."""

from __future__ import annotations

import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509

from controller.cli.main import main
from tests.operations.test_certificates import HOST, handshake, name_of
from tests.support.authorities import CLIENT, DAY, SERVER, Authority, Files

Enroll = Callable[..., int]


@pytest.fixture
def enroll(tmp_path: Path) -> Enroll:
    def run(*more: str | Path, name: str = "ann", role: str = "floor") -> int:
        who = ["person", name, "--role", role, "--site", "riverside", "--to", str(tmp_path)]
        return main(["enroll", *who, *map(str, more)])

    return run


@pytest.fixture
def people(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "people-ca", lasts=4000 * DAY)


def files_of(folder: Path, name: str = "ann") -> Files:
    return Files(folder / f"{name}.crt", folder / f"{name}.key")


def assert_the_broker_takes(person: Files, people: Authority, folder: Path) -> None:
    """Both ends verify by the letter of RFC 5280."""
    tables = Authority(folder, "tables-ca")
    handshake(person, people.file, tables.issue("broker", SERVER, host=HOST), tables.file)


def test_a_person_gets_a_key_that_nobody_else_reads_and_a_request_with_name_role_and_site(
    tmp_path: Path, enroll: Enroll, people: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enroll() == 0
    assert "ann/floor/riverside" in capsys.readouterr().out
    assert stat.S_IMODE((tmp_path / "ann.key").stat().st_mode) == 0o600
    key = (tmp_path / "ann.key").read_bytes()
    assert enroll() == 0, "asked twice, it is the same key"
    assert enroll(role="dealer") == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "ann.key").read_bytes() == key
    returned = people.sign(tmp_path / "ann.csr", tmp_path / "returned.crt")
    assert enroll("--install", returned, "--signed-by", people.file) == 0
    assert name_of(files_of(tmp_path)) == "ann/floor/riverside"
    assert_the_broker_takes(files_of(tmp_path), people, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("ann*")) == ["ann.crt", "ann.key"]


def test_with_the_authority_at_hand_the_certificate_is_made_at_once(
    tmp_path: Path, enroll: Enroll, people: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enroll("--sign-with", people.file, people.key_file(), "--days", "90") == 0
    assert "ann/floor/riverside has its certificate, good until" in capsys.readouterr().out
    made = x509.load_pem_x509_certificate((tmp_path / "ann.crt").read_bytes())
    assert 89 <= (made.not_valid_after_utc - datetime.now(UTC)).days <= 90
    assert list(made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [CLIENT]
    assert_the_broker_takes(files_of(tmp_path), people, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("ann*")) == ["ann.crt", "ann.key"]


@pytest.mark.parametrize("is_signed_here", [True, False])
def test_a_renewal_leaves_the_old_key_in_use_until_the_new_certificate_is_there(
    tmp_path: Path, enroll: Enroll, people: Authority, is_signed_here: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    sign = ("--sign-with", people.file, people.key_file())
    assert enroll(*sign) == 0
    old = (tmp_path / "ann.key").read_bytes(), (tmp_path / "ann.crt").read_bytes()
    assert enroll(*sign) == 2
    assert "--renew" in capsys.readouterr().err
    if is_signed_here:
        assert enroll("--renew", *sign) == 0
    else:
        assert enroll("--renew") == 0
        assert ((tmp_path / "ann.key").read_bytes(), (tmp_path / "ann.crt").read_bytes()) == old
        returned = people.sign(tmp_path / "ann.csr", tmp_path / "returned.crt")
        assert enroll("--install", returned) == 0
    assert (tmp_path / "ann.key").read_bytes() != old[0]
    assert_the_broker_takes(files_of(tmp_path), people, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("ann*")) == ["ann.crt", "ann.key"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            {"common_name": "ann/dealer/riverside"},
            "is for ann/dealer/riverside, and the request was for ann/floor/riverside",
        ),
        ({"uses": (CLIENT, SERVER)}, "not for client authentication alone"),
        ({"lasts": -DAY}, "and not now"),
    ],
)
def test_an_answer_that_the_broker_would_not_take_is_not_installed(
    tmp_path: Path, enroll: Enroll, answer: dict[str, object], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    people = Authority(tmp_path, "people-ca")
    enroll()
    returned = people.sign(tmp_path / "ann.csr", tmp_path / "returned.crt", **answer)  # type: ignore[arg-type]
    assert enroll("--install", returned) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "ann.crt").exists()


def test_an_answer_of_another_authority_is_not_installed(
    tmp_path: Path, enroll: Enroll, people: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    enroll()
    returned = Authority(tmp_path, "other-ca").sign(tmp_path / "ann.csr", tmp_path / "returned.crt")
    assert enroll("--install", returned, "--signed-by", people.file) == 2
    assert "is not valid" in capsys.readouterr().err


def test_an_authority_that_cannot_sign_leaves_nothing_behind(
    tmp_path: Path, enroll: Enroll, people: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    other, shared = Authority(tmp_path, "other-ca"), tmp_path / "shared.key"
    shared.write_bytes(people.key_file().read_bytes())
    shared.chmod(0o644)
    for arguments, reason in (
        ((people.file, other.key_file()), "does not belong to the certificate"),
        ((people.file, shared), "others may read"),
        ((people.file, tmp_path / "none.key"), "cannot be read"),
        ((people.key_file(), people.key_file()), "is no certificate in PEM"),
        ((people.file, people.key_file(), "--days", "0"), "1 to 3650 days"),
        ((other.file, other.key_file(), "--days", "30"), "is good until"),
    ):
        assert enroll("--sign-with", *arguments) == 2
        assert reason in capsys.readouterr().err
    assert not list(tmp_path.glob("ann*"))
