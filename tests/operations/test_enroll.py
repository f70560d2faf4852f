"""`cutcard enroll`: a key that stays on the board, a request that leaves it, a certificate that is looked at first."""

from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from controller.cli.main import main
from controller.config import read_config
from controller.mqtt import BrokerRefused
from controller.mqtt.credentials import tls_context
from tests.support.authorities import CLIENT, DAY, SERVER, Authority

CONFIG = """
site = "riverside"
table = "baccarat-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[[mqtt.broker]]
host = "127.0.0.1"
port = 8883
[mqtt.broker.tls]
ca = "tls/tables-ca.crt"
cert = "tls/table.crt"
key = "tls/table.key"
"""


class Board:
    """A board in front of an installer."""

    def __init__(self, folder: Path, said: pytest.CaptureFixture[str]) -> None:
        self.config = folder / "cutcard.toml"
        self.config.write_text(CONFIG)
        self.tls = folder / "tls"
        self.tls.mkdir()
        self.key, self.certificate, self.request = (self.tls / f"table.{end}" for end in ("key", "crt", "csr"))
        self.next_key = self.tls / "table.key.next"
        self._said = said

    def enroll(self, *arguments: str | Path) -> int:
        return main(["enroll", "--config", str(self.config), *map(str, arguments)])

    def refuses(self, *arguments: str | Path) -> str:
        """Exit code 2 and one paragraph, which is given."""
        self._said.readouterr()
        assert self.enroll(*arguments) == 2
        error = self._said.readouterr().err
        assert error.startswith("cutcard: ")
        assert "Traceback" not in error
        return error

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.tls.iterdir()}


@pytest.fixture
def board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Board:
    return Board(tmp_path, capsys)


@pytest.fixture
def authority(board: Board) -> Authority:
    return Authority(board.tls, "tables-ca")


def test_a_table_asks_for_a_certificate_with_its_own_name_and_keeps_its_key_to_itself(
    board: Board, authority: Authority, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert board.enroll() == 0
    request = x509.load_pem_x509_csr(board.request.read_bytes())
    assert [name.value for name in request.subject] == ["riverside/baccarat-1"]
    assert stat.S_IMODE(board.next_key.stat().st_mode) == 0o600

    returned = authority.sign(board.request, board.tls / "returned.crt")
    assert board.enroll("--install", returned) == 0
    assert stat.S_IMODE(board.key.stat().st_mode) == 0o600
    assert board.certificate.read_bytes() == returned.read_bytes()
    assert not board.next_key.exists()
    assert not board.request.exists()
    settings = read_config(board.config).brokers["main"]
    assert tls_context(settings) is not None

    printed = capsys.readouterr()
    for line in board.key.read_text().splitlines():
        if not line.startswith("-----"):
            assert line not in printed.out + printed.err + caplog.text


def test_asking_twice_asks_for_the_same_key(board: Board, authority: Authority) -> None:
    board.enroll()
    key = board.next_key.read_bytes()
    board.enroll()
    assert board.next_key.read_bytes() == key
    assert board.enroll("--install", authority.sign(board.request, board.tls / "returned.crt")) == 0
    assert board.key.read_bytes() == key
    assert "--renew" in board.refuses()


def test_a_renewal_leaves_the_old_key_in_use_until_the_new_certificate_is_there(
    board: Board, authority: Authority
) -> None:
    board.enroll()
    board.enroll("--install", authority.sign(board.request, board.tls / "first.crt"))
    old = board.key.read_bytes(), board.certificate.read_bytes()
    assert board.enroll("--renew") == 0
    assert (board.key.read_bytes(), board.certificate.read_bytes()) == old
    assert board.enroll("--install", authority.sign(board.request, board.tls / "second.crt")) == 0
    assert board.key.read_bytes() != old[0]
    assert tls_context(read_config(board.config).brokers["main"]) is not None


def test_an_installation_cut_short_is_completed_by_the_next(board: Board, authority: Authority) -> None:
    board.enroll()
    board.enroll("--install", authority.sign(board.request, board.tls / "first.crt"))
    board.enroll("--renew")
    returned = authority.sign(board.request, board.tls / "second.crt")
    board.key.write_bytes(board.next_key.read_bytes())  # and here the power went
    with pytest.raises(BrokerRefused):
        tls_context(read_config(board.config).brokers["main"])
    assert board.enroll("--install", returned) == 0
    assert tls_context(read_config(board.config).brokers["main"]) is not None


@pytest.mark.parametrize(
    "fault", ["another key", "another name", "another authority", "expired", "good for a server", "for any use", "text"]
)
def test_a_certificate_that_would_not_do_is_refused_and_changes_nothing(
    board: Board, authority: Authority, tmp_path: Path, fault: str
) -> None:
    board.enroll()
    returned = tmp_path / "returned.crt"
    match fault:
        case "another key":
            returned = authority.issue("riverside/baccarat-1", file="other").certificate
            words = "does not belong to the key"
        case "another name":
            authority.sign(board.request, returned, common_name="riverside/baccarat-2")
            words = "riverside/baccarat-2, and the request was for riverside/baccarat-1"
        case "another authority":
            Authority(tmp_path, "stranger").sign(board.request, returned)
            words = "unable to get local issuer certificate"
        case "expired":
            authority.sign(board.request, returned, lasts=-DAY)
            words = "certificate has expired"
        case "good for a server":
            authority.sign(board.request, returned, uses=(CLIENT, SERVER))
            words = "client authentication alone"
        case "for any use":
            authority.sign(board.request, returned, uses=())
            words = "client authentication alone"
        case _:
            returned.write_text("Dear customer, please find attached")
            words = "no certificate in PEM"
    before = board.files()
    assert words in board.refuses("--install", returned)
    assert board.files() == before


def test_an_authority_for_tables_apart_from_the_brokers_is_named(
    board: Board, authority: Authority, tmp_path: Path
) -> None:
    tables = Authority(tmp_path, "tables-only")
    board.enroll()
    returned = tables.sign(board.request, tmp_path / "returned.crt")
    board.refuses("--install", returned)
    assert board.enroll("--install", returned, "--signed-by", tables.file) == 0


def test_a_config_without_places_for_the_files_says_what_to_write(board: Board) -> None:
    board.config.write_text(CONFIG[: CONFIG.index("[mqtt.broker.tls]")])
    assert "[mqtt.broker.tls]" in board.refuses()


def test_a_key_that_others_may_read_is_not_used(board: Board, authority: Authority) -> None:
    board.enroll()
    board.next_key.chmod(0o640)
    assert "others may read" in board.refuses("--install", authority.sign(board.request, board.tls / "returned.crt"))
    board.next_key.chmod(0o600)
    board.enroll("--install", board.tls / "returned.crt")
    board.key.chmod(0o644)
    with pytest.raises(BrokerRefused, match="others may read"):
        tls_context(read_config(board.config).brokers["main"])


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT ROOT: giving the key to the service's user was not tested")
def test_an_installer_who_is_root_gives_the_key_to_the_owner_of_the_data_folder(
    board: Board, authority: Authority, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    os.chown(tmp_path / "data", 4711, 4712)
    board.enroll()
    assert board.enroll("--install", authority.sign(board.request, board.tls / "returned.crt")) == 0
    for file in (board.key, board.certificate):
        owner = file.stat()
        assert (owner.st_uid, owner.st_gid, stat.S_IMODE(owner.st_mode)) == (4711, 4712, 0o600)


def test_the_common_name_is_the_only_name_in_the_request(board: Board) -> None:
    board.enroll()
    request = x509.load_pem_x509_csr(board.request.read_bytes())
    assert [name.oid for name in request.subject] == [NameOID.COMMON_NAME]
    uses = request.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(uses) == [CLIENT]
