"""The certificates that our pages have an installer make, and those of the tests, pass the strictest verification.

Python verifies by the letter of RFC 5280 from 3.13 on. Here every Python does."""

from __future__ import annotations

import re
import shutil
import ssl
import subprocess
import textwrap
from pathlib import Path

import pytest
from cryptography import x509

from controller.cli.main import main
from tests.support.authorities import CLIENT, SERVER, Authority, Files
from tests.support.project import ROOT

CONFIG = """
site = "riverside"
table = "baccarat-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[[mqtt.broker]]
host = "broker.riverside"
[mqtt.broker.tls]
ca = "tables-ca.crt"
cert = "table.crt"
key = "table.key"
"""
HOST = "broker.riverside"
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="NO OPENSSL: the recipes were not tried")


def handshake(client: Files, clients_authority: Path, broker: Files, brokers_authority: Path) -> None:
    """Both ends show a certificate and verify the other's; `ssl.SSLError` where one does not accept it."""
    contexts = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for context, own, authority in zip(contexts, (broker, client), (clients_authority, brokers_authority), strict=True):
        context.verify_mode = ssl.CERT_REQUIRED
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        context.load_verify_locations(authority)
        context.load_cert_chain(own.certificate, own.key)
    to_broker, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        contexts[1].wrap_bio(to_client, to_broker, server_hostname=HOST),
        contexts[0].wrap_bio(to_broker, to_client, server_side=True),
    ]
    for end in ends * 3:
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
    assert ends[0].getpeercert() and ends[1].getpeercert()


def recipes(page: str) -> list[str]:
    """The blocks of a page that call OpenSSL to make something."""
    blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", (ROOT / "docs" / "operations" / page).read_text(), re.MULTILINE)
    return [
        textwrap.dedent(block)
        for block in blocks
        if re.search(r"openssl (req|x509) .*-config|openssl x509 -req", block)
    ]


def run(folder: Path, script: str) -> None:
    done = subprocess.run(["bash", "-euc", script], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """An installer's folder, with the request of a table in it."""
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    (tmp_path / "cutcard.toml").write_text(CONFIG)
    assert main(["enroll", "--config", str(tmp_path / "cutcard.toml")]) == 0
    return tmp_path


@needs_openssl
def test_what_an_installer_makes_by_the_security_page_is_accepted_by_the_strictest(board: Path) -> None:
    made = recipes("security.md")
    assert len(made) == 3  # authorities and broker, a table, a person
    for script in made:
        run(board, script)
    assert main(["enroll", "--config", str(board / "cutcard.toml"), "--install", str(board / "table.crt")]) == 0
    broker, table, person = (Files(board / f"{name}.crt", board / f"{name}.key") for name in ("broker", "table", "ann"))
    handshake(table, board / "tables-ca.crt", broker, board / "tables-ca.crt")
    handshake(person, board / "people-ca.crt", broker, board / "tables-ca.crt")
    with pytest.raises(ssl.SSLError, match="unable to get local issuer"):
        handshake(person, board / "tables-ca.crt", broker, board / "tables-ca.crt")
    assert name_of(table) == "riverside/baccarat-1" and name_of(person) == "ann/floor/riverside"


@needs_openssl
def test_every_certificate_of_our_pages_is_valid_by_the_letter(board: Path) -> None:
    """The authorities as well, each by itself, with OpenSSL's own strict check."""
    for script in recipes("security.md"):
        run(board, script)
    signed_by = {"ann": "people-ca", "people-ca": "people-ca"}
    made = sorted(path.stem for path in board.glob("*.crt"))
    assert {"ann", "broker", "people-ca", "table", "tables-ca"} <= set(made)
    for name in made:
        run(board, f"openssl verify -x509_strict -CAfile {signed_by.get(name, 'tables-ca')}.crt {name}.crt")


def name_of(files: Files) -> str:
    (name,) = x509.load_pem_x509_certificate(files.certificate.read_bytes()).subject
    return str(name.value)


@pytest.mark.parametrize("name", ["", "a/b", "+", "ann/floor", "../ann", "a" * 33, "-x y", "Ann"])
def test_a_name_that_could_pass_for_another_is_not_put_into_a_request(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for person, site in ((name, "riverside"), ("ann", name)):
        enroll = ["enroll", "person", "--role", "floor", f"--site={site}", "--to", str(tmp_path), "--", person]
        assert main(enroll) == 2
        assert "cannot be in a certificate" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@needs_openssl
def test_what_the_install_page_signs_for_the_other_tables_is_accepted_too(board: Path) -> None:
    run(board, recipes("security.md")[0])
    (signing,) = re.findall(r"openssl x509 -req .*\\\n.*", "".join(recipes("install.md")))
    run(board, f"t=table; {signing}")
    assert main(["enroll", "--config", str(board / "cutcard.toml"), "--install", str(board / "table.crt")]) == 0


@needs_openssl
def test_an_authority_without_key_usage_is_found_when_the_certificate_is_installed(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    careless = (ROOT / "deploy" / "tls" / "openssl.cnf").read_text().replace("keyUsage = critical, keyCertSign", "#")
    (board / "careless.cnf").write_text(careless)
    run(board, recipes("security.md")[0].replace("deploy/tls/openssl.cnf", "careless.cnf"))
    run(board, recipes("security.md")[1])
    assert main(["enroll", "--config", str(board / "cutcard.toml"), "--install", str(board / "table.crt")]) == 2
    said = capsys.readouterr().err
    assert "key usage" in said and "docs/operations/security.md" in said


def test_the_authorities_of_the_tests_are_accepted_by_the_strictest(tmp_path: Path) -> None:
    tables, people = Authority(tmp_path, "tables-ca"), Authority(tmp_path, "people-ca")
    broker = tables.issue("broker", SERVER, host=HOST)
    handshake(tables.issue("riverside/baccarat-1"), tables.file, broker, tables.file)
    handshake(people.issue("ann/floor/riverside", CLIENT), people.file, broker, tables.file)
