"""A table's certificate is renewed over the floor: the board asks, the authority signs, the table takes it back."""

from __future__ import annotations

import asyncio
import stat
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

from controller.board_key import BoardKey
from controller.certificates.published import BadRequest, read_published
from controller.cli.main import main
from controller.clock import SystemClock
from controller.config.broker import Tls
from controller.config.fields import BrokerConfig, CertificatesConfig, MqttConfig
from controller.contract.topics import Topics
from controller.engine.inputs import BetsClosed, ShoeStarted, WagerPlaced
from controller.runtime.certificate_requests import CertificateRequests
from floor.store.database import migrate, open_engine
from tests.support.authorities import CLIENT, DAY, SERVER, Authority
from tests.support.contract_checks import problem
from tests.support.floor_store import an_intake, take
from tests.support.journals import SITE, TABLE
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.running.askers import AskedTable, asked_table
from tests.support.running.bundle_servers import BundleServer, Signer, bundle_server

YEAR = 365 * DAY


class _Journal(Struct, frozen=True):
    """As far as a document names it."""

    id: str
    site: str
    table: str


class Board:
    """A board whose certificate is good for a while, the site's authority, the office and the floor's store."""

    def __init__(self, folder: Path, asked: AskedTable, server: BundleServer, lasts: timedelta) -> None:
        self.folder, self.asked, self.server = folder, asked, server
        self.authority = Authority(folder, "tables-ca", lasts=10 * YEAR)
        tls = folder / "tls"
        tls.mkdir()
        self.key, self.certificate = tls / "table.key", tls / "table.crt"
        issued = self.authority.issue(f"{SITE}/{TABLE}", lasts=lasts)
        issued.key.rename(self.key)
        issued.certificate.rename(self.certificate)
        self.signer = Signer()
        broker = BrokerConfig(tls=Tls(ca=str(self.authority.file), cert=str(self.certificate), key=str(self.key)))
        self.configure(mqtt=MqttConfig(broker=(broker,)), updates=server.updates(self.signer.public))
        self.day = FreshTable(SITE, TABLE, days()[0])
        """What the table has published before, signed by its board."""
        self.board = self.day.key
        self.published: dict[str, bytes] = {}
        asked.use_the_time_of_day()

    def configure(self, **sections: Any) -> None:
        self.asked.config = msgspec.structs.replace(self.asked.config, **sections)

    async def look(self) -> dict[str, Any]:
        """What the table publishes about its certificate now."""
        journal = _Journal(self.day.journal, SITE, TABLE)
        config = lambda: self.asked.config  # noqa: E731
        await CertificateRequests(journal, self.board, SystemClock(), config, self.published.__setitem__).look()
        body = self.published["main"]
        assert problem(Topics(SITE, TABLE).certificate("main"), body) is None
        return dict(msgspec.json.decode(body))

    def store(self, body: bytes | None = None) -> list[str]:
        """The floor has the table's day and this document; returns the arguments of `cutcard floor` for it."""
        config, store = self.folder / "floor.toml", self.folder / "floor.db"
        config.write_text(f'site = "{SITE}"\nstore = "{store}"\n')
        migrate(str(store))
        engine = open_engine(str(store))
        document = Published(Topics(SITE, TABLE).certificate("main"), body or self.published["main"], True)
        take(an_intake(engine), [*self.day.events[:10], self.day.head(10), document])
        engine.dispose()
        return ["floor", "certificates", "--config", str(config), "--requests", str(self.folder / "requests")]

    def signed(self, days_: int = 365) -> bytes:
        """What the authority makes of the request that the floor has written."""
        request = str(self.folder / "requests" / f"{TABLE}.csr")
        of = ["--site", SITE, "--sign-with", str(self.authority.file), str(self.authority.key_file())]
        assert main(["enroll", "sign", request, *of, "--to", str(self.folder), "--days", str(days_)]) == 0
        return (self.folder / f"{TABLE}.crt").read_bytes()

    async def hand_back(self, certificate: bytes, serial: int = 1, **more: Any) -> dict[str, Any]:
        """The office signs the reference, a supervisor sends it."""
        self.server.bodies["table.crt"] = certificate
        now = time.time_ns() // 1_000_000
        how: dict[str, Any] = {"issued": now, "serial": serial, "site": SITE, "table": TABLE}
        fields = self.signer.request("certificate", certificate, self.server.base + "table.crt", **how)
        return await self.asked.ask("floor", "certificate_update", **fields, **more)

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.key.parent.iterdir()}


@asynccontextmanager
async def a_board(folder: Path, lasts: timedelta = 40 * DAY) -> AsyncIterator[Board]:
    async with bundle_server(folder) as server, asked_table(folder) as asked:
        yield Board(folder, asked, server, lasts)


async def test_a_table_states_until_when_its_certificate_is_good_and_asks_for_none_yet(tmp_path: Path) -> None:
    async with a_board(tmp_path, 60 * DAY) as at:
        said = await at.look()
        in_days = (said["expires_at"] - time.time() * 1000) / 86_400_000
        assert (said["request"], said["broker"], round(in_days)) == (None, "main", 60)
        assert sorted(at.files()) == ["table.crt", "table.key"]
        at.configure(certificates=CertificatesConfig(renew_days=61))
        assert (await at.look())["request"] is not None
        at.configure(certificates=CertificatesConfig(renew_days=0))
        assert (await at.look())["request"] is None


async def test_the_request_stays_the_same_and_its_key_stays_on_the_board(tmp_path: Path) -> None:
    async with a_board(tmp_path) as at:
        before = at.files()
        said = await at.look()
        assert (await at.look())["request"] == said["request"]
        asked = x509.load_pem_x509_csr(said["request"].encode())
        assert [name.value for name in asked.subject] == [f"{SITE}/{TABLE}"]
        now = at.files()
        assert {name: now[name] for name in before} == before
        assert stat.S_IMODE((at.key.parent / "table.key.next").stat().st_mode) == 0o600
        assert b"PRIVATE" not in at.published["main"]


async def test_it_is_renewed_by_four_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with a_board(tmp_path) as at:
        await at.look()
        waiting = at.files()["table.key.next"]
        assert await asyncio.to_thread(main, at.store()) == 0
        printed = capsys.readouterr().out
        assert "asks for the next one" in printed and "1 requests are in" in printed
        certificate = at.signed()
        shown = await at.hand_back(certificate, preview=True)
        assert shown["ok"] and "the present one is good until" in shown["text"], shown
        assert at.certificate.read_bytes() != certificate
        # A round may be running: the broker's certificate is no concern of it.
        await at.asked.happens(ShoeStarted(8), WagerPlaced(1, "player_line", 1000), BetsClosed())
        answer = await at.hand_back(certificate)
        assert answer["ok"], answer
        assert at.files() == {"table.crt": certificate, "table.key": waiting}
        taken = next(event for event in at.asked.events() if event["kind"] == "update_taken")
        assert (taken["what"], taken["by"]) == ("certificate", "floor:pit-desk")
        said = await at.look()
        assert said["request"] is None and said["expires_at"] > (time.time() + 300 * 86_400) * 1000
        assert (await at.hand_back(certificate))["why"] == "old_serial"
        assert not list((tmp_path / "updates").iterdir())


async def test_the_floor_believes_only_the_board_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_board(tmp_path) as at:
        at.board = BoardKey(Ed25519PrivateKey.generate())
        await at.look()
        assert await asyncio.to_thread(main, at.store()) == 1
        assert "not believed: it is signed with the key" in capsys.readouterr().out
        assert not (tmp_path / "requests" / f"{TABLE}.csr").exists()
        altered = at.published["main"].replace(b'"broker":"main"', b'"broker":"next"')
        with pytest.raises(BadRequest, match="signature is wrong"):
            read_published(altered)


async def test_what_does_not_fit_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    async with a_board(tmp_path) as at:
        at.published["main"] = b""
        await at.look()
        request, returned = at.key.parent / "table.csr", tmp_path / "returned.crt"
        stranger = Authority(tmp_path, "stranger")
        wrong = {
            "belongs to no key": at.authority.issue(f"{SITE}/{TABLE}", file="other").certificate,
            "is for bay101/t9": at.authority.sign(request, tmp_path / "1.crt", common_name="bay101/t9"),
            "not for client authentication alone": at.authority.sign(
                request, tmp_path / "2.crt", uses=(CLIENT, SERVER)
            ),
            "is not valid": stranger.sign(request, tmp_path / "3.crt"),
            "no certificate in PEM": request,
        }
        before = at.files()
        for number, (text, file) in enumerate(wrong.items(), start=1):
            answer = await at.hand_back(file.read_bytes(), number)
            assert (answer["ok"], answer["why"]) == (False, "bad_bundle") and text in answer["text"], answer
        with_key = at.authority.sign(request, returned).read_bytes() + at.key.read_bytes()
        assert (await at.hand_back(with_key, 9))["why"] == "holds_private_key"
        assert at.files() == before and "update_taken" not in at.asked.kinds()


async def test_what_the_journal_has_is_put_in_place_at_the_next_start(tmp_path: Path) -> None:
    async with a_board(tmp_path) as at:
        await at.look()
        before = at.files()
        certificate = at.authority.sign(at.key.parent / "table.csr", tmp_path / "returned.crt").read_bytes()
        assert (await at.hand_back(certificate))["ok"]
        after = at.files()
        # As if the power had gone between the journal's entry and the files.
        for name, data in before.items():
            (at.key.parent / name).write_bytes(data)
            (at.key.parent / name).chmod(0o600)
        waiting = tmp_path / "updates" / "certificate.new"
        waiting.write_bytes(certificate)
        await at.asked.updates.finish()
        assert at.files() == after and not waiting.exists()
        waiting.write_bytes(before["table.crt"])
        await at.asked.updates.finish()
        assert at.files() == after and not waiting.exists(), "what the journal does not know is removed"


def test_the_authority_of_the_tables_signs_tables_of_its_site_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    authority = Authority(tmp_path, "tables-ca", lasts=YEAR)
    where = ["--to", str(tmp_path / "people")]
    assert main(["enroll", "person", "ann", "--role", "floor", "--site", SITE, *where]) == 0
    person = (tmp_path / "people" / "ann.csr").read_bytes()
    altered = person.replace(b"MI", b"MJ", 1)
    for name, pem, text in (
        ("person", person, "asks for the name ann/floor/bay101, which is no table of bay101"),
        ("altered", altered, "is not signed"),
        ("nothing", b"no request", "no signing request in PEM"),
    ):
        file = tmp_path / f"{name}.csr"
        file.write_bytes(pem)
        capsys.readouterr()
        of = ["--site", SITE, "--sign-with", str(authority.file), str(authority.key_file())]
        assert main(["enroll", "sign", str(file), *of, "--to", str(tmp_path / "signed"), "--days", "30"]) == 2
        assert text in capsys.readouterr().err
    assert not (tmp_path / "signed").exists()
