"""The page over TLS: its certificate, from the request to a renewal under a running server."""

from __future__ import annotations

import ipaddress
import re
import ssl
import stat
import subprocess
import textwrap
from pathlib import Path

import pytest
from aiohttp import ClientConnectorError, ClientSession, TCPConnector
from cryptography import x509

from controller.cli.main import main
from controller.web.server import serve
from controller.web.tls import CertificateError, PageCertificate
from tests.support.authorities import CLIENT, SERVER, Authority, Files
from tests.support.project import ROOT
from tests.support.running.brokers import free_port
from tests.support.running.consoles import manned_table
from tests.web.test_feed import ScriptedTable, a_view

CONFIG = """
site = "riverside"
table = "t-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[web]
host = "0.0.0.0"
allowed_hosts = ["t-1.riverside", "10.20.0.17"]
certificate = "tls/page.crt"
key = "tls/page.key"
"""


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "pages")


def trusting(authority: Path) -> ssl.SSLContext:
    """A browser on a board with Python 3.13 or newer verifies as strictly."""
    context = ssl.create_default_context(cafile=authority)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def certificate_in(files: Files) -> PageCertificate:
    return PageCertificate(files.certificate, files.key)


async def front_page(port: int, trusted: Authority) -> int:
    """The status, for a browser that trusts this authority."""
    async with (
        ClientSession() as session,
        session.get(f"https://127.0.0.1:{port}/", ssl=trusting(trusted.file)) as answer,
    ):
        return answer.status


async def test_the_page_is_served_over_tls_and_on_loopback_for_the_board(tmp_path: Path, authority: Authority) -> None:
    files, port = authority.issue("page", SERVER, host="127.0.0.1"), free_port()
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page, port=port, certificate=certificate_in(files)) as on_board, ClientSession() as session:
        assert on_board.startswith("http://127.0.0.1:") and str(port) not in on_board
        async with session.get(f"{on_board}api/view") as answer:
            assert answer.status == 200 and "Strict-Transport-Security" not in answer.headers
        async with session.get(f"https://127.0.0.1:{port}/api/view", ssl=trusting(authority.file)) as answer:
            assert answer.status == 200 and answer.headers["Strict-Transport-Security"].startswith("max-age=")
        with pytest.raises(OSError):
            await session.get(f"https://127.0.0.1:{port}/api/view")
        with pytest.raises(Exception, match=r"disconnected|reset"):
            await session.get(f"http://127.0.0.1:{port}/api/view")


async def test_an_older_tls_is_refused(tmp_path: Path, authority: Authority) -> None:
    files, port = authority.issue("page", SERVER, host="127.0.0.1"), free_port()
    context = certificate_in(files)
    assert context.context.minimum_version == ssl.TLSVersion.TLSv1_2
    old = trusting(authority.file)
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    async with (
        serve(ScriptedTable(a_view(seq=1)).page, port=port, certificate=context),
        ClientSession(connector=TCPConnector(ssl=old)) as session,
    ):
        with pytest.raises(ClientConnectorError):
            await session.get(f"https://127.0.0.1:{port}/")


async def test_a_renewed_certificate_is_used_and_a_wrong_one_is_not(
    tmp_path: Path, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    files, port = authority.issue("page", SERVER, host="127.0.0.1"), free_port()
    used = certificate_in(files)
    other = Authority(tmp_path, "new-pages")
    async with serve(ScriptedTable(a_view(seq=1)).page, port=port, certificate=used):
        files.key.write_text("damaged")
        used.renew()
        assert "keeps its old certificate" in caplog.text
        assert await front_page(port, authority) == 200
        other.issue("page", SERVER, host="127.0.0.1")
        used.renew()
        assert await front_page(port, other) == 200


def test_a_key_that_others_may_read_is_refused(authority: Authority) -> None:
    files = authority.issue("page", SERVER, host="127.0.0.1")
    files.key.chmod(0o640)
    with pytest.raises(CertificateError, match="others may read"):
        certificate_in(files)


def test_files_that_are_missing_or_do_not_belong_together_are_named(tmp_path: Path, authority: Authority) -> None:
    files, other = authority.issue("page", SERVER), authority.issue("other", SERVER)
    with pytest.raises(CertificateError, match="cutcard enroll --page"):
        PageCertificate(tmp_path / "nothing.crt", files.key)
    with pytest.raises(CertificateError, match="the key belongs to the certificate"):
        PageCertificate(files.certificate, other.key)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://["])
async def test_another_site_s_page_may_not_post(origin: str) -> None:
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page) as url, ClientSession() as session:
        for path in ("api/login", "api/acts", "api/logout"):
            async with session.post(f"{url}{path}", json={}, headers={"Origin": origin}) as answer:
                assert answer.status == 403
        async with session.post(f"{url}api/acts", json={}, headers={"Origin": url.rstrip("/")}) as answer:
            assert answer.status == 401, "our own page only lacks a token"


async def test_a_dealer_signs_in_and_acts_over_tls_at_a_real_table(tmp_path: Path, authority: Authority) -> None:
    files = authority.issue("page", SERVER, host="127.0.0.1")
    more = f'certificate = "{files.certificate}"\nkey = "{files.key}"\n'
    async with manned_table(tmp_path, "bankers-ez-baccarat-panda-8", more=more) as table:
        assert table.page.startswith("http://127.0.0.1:"), "for programs on the board"
        (address,) = re.findall(r"https://127\.0\.0\.1:\d+/", (tmp_path / "daemon.log").read_text())
        connector = TCPConnector(ssl=trusting(authority.file), local_addr=("127.0.0.7", 0))
        async with ClientSession(address, connector=connector) as tablet:
            async with tablet.post("/api/login", json=table.pins["dealer"]) as answer:
                headers = {"Authorization": f"Bearer {(await answer.json())['token']}"}
            async with tablet.post("/api/acts", json={"kind": "shoe_started"}, headers=headers) as answer:
                assert answer.status == 200 and answer.headers["Server"] == "Cutcard"
        (came,) = [event for event in table.journal_events() if event["kind"] == "signed_in"]
        assert (came["name"], came["client"]) == ("sam", "127.0.0.7")


# The certificate's way


def enroll(board: Path, *arguments: str) -> int:
    (board / "cutcard.toml").write_text(CONFIG)
    return main(["enroll", "--page", "--config", str(board / "cutcard.toml"), *arguments])


def test_the_pages_recipes_make_a_certificate_that_the_strictest_accepts(tmp_path: Path) -> None:
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    page = (ROOT / "docs" / "operations" / "page-certificate.md").read_text()
    authority, signing = (textwrap.dedent(b) for b in re.findall(r"^ {7}openssl .*\\\n.*\n", page, re.MULTILINE))
    assert enroll(tmp_path) == 0
    assert stat.S_IMODE((tmp_path / "tls" / "page.key.next").stat().st_mode) == 0o600
    for script in (authority, f"cp tls/page.csr .\n{signing}"):
        subprocess.run(["bash", "-euc", script], cwd=tmp_path, check=True, capture_output=True)
    assert enroll(tmp_path, "--install", str(tmp_path / "page.crt")) == 0
    made = x509.load_pem_x509_certificate((tmp_path / "tls" / "page.crt").read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["t-1.riverside"]
    assert names.get_values_for_type(x509.IPAddress) == [ipaddress.ip_address("10.20.0.17")]
    files = Files(tmp_path / "tls" / "page.crt", tmp_path / "tls" / "page.key")
    server, browser = certificate_in(files).context, trusting(tmp_path / "pages-ca.crt")
    handshake(server, browser, "t-1.riverside")
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        handshake(server, browser, "t-2.riverside")


def test_a_certificate_that_no_browser_would_accept_is_not_installed(
    tmp_path: Path, authority: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enroll(tmp_path) == 0
    request = tmp_path / "tls" / "page.csr"
    for uses, text in (((SERVER,), "lacks its names"), ((CLIENT,), "lacks its names")):
        returned = authority.sign(request, tmp_path / "returned.crt", uses=uses)
        assert enroll(tmp_path, "--install", str(returned)) == 2
        assert text in capsys.readouterr().err
    stranger = authority.issue("stranger", SERVER, host="t-1.riverside")
    assert enroll(tmp_path, "--install", str(stranger.certificate)) == 2
    assert "does not belong to the key" in capsys.readouterr().err
    assert not (tmp_path / "tls" / "page.crt").exists()


def handshake(server: ssl.SSLContext, browser: ssl.SSLContext, name: str) -> None:
    """In memory; raises what the browser objects to."""
    to_server, to_browser = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        browser.wrap_bio(to_browser, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_browser, server_side=True),
    ]
    for end in ends * 3:
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
