"""A table takes staff and software by signed reference: each attack is rejected with nothing changed, and the good way
is taken once."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.fields import UpdatesConfig
from controller.contract.topics import Topics
from controller.engine.inputs import BetsClosed, CardOut, ShoeStarted, WagerPlaced
from controller.engine.update_inputs import What
from controller.errors import UserError
from controller.evidence.rerun import rerun
from controller.journal import JournalReader
from controller.operator.roles import Role
from controller.operator.staff import read_staff
from controller.rules import resolve
from controller.updates.bundles import MOST_TEXT
from controller.updates.software import WaitingSoftware
from tests.support.authorities import Authority
from tests.support.journals import SITE, TABLE
from tests.support.running.askers import NOW, AskedTable, asked_table
from tests.support.running.bundle_servers import PACKAGE, BundleServer, Signer, bundle_server, staff_bytes

A_ROUND = (ShoeStarted(8), WagerPlaced(1, "player_line", 1000), BetsClosed())
STAFF = staff_bytes()
HOUR = 3_600_000


class Office:
    """A table, the office that signs for it, and the server."""

    def __init__(self, table: AskedTable, server: BundleServer, folder: Path) -> None:
        self.table, self.server, self.folder = table, server, folder
        self.signer = Signer()
        self.trust(server.updates(self.signer.public))

    def trust(self, updates: UpdatesConfig) -> None:
        self.table.config = msgspec.structs.replace(self.table.config, updates=updates)

    def signed(
        self,
        data: bytes = STAFF,
        name: str = "staff.json",
        what: What = "staff",
        signer: Signer | None = None,
        **how: Any,
    ) -> dict[str, Any]:
        """A request's fields for a bundle, which the server now has."""
        self.server.bodies.setdefault(name, data)
        how = {"issued": NOW, "site": SITE, "table": TABLE, **how}
        address = how.pop("address", self.server.base + name)
        return (signer or self.signer).request(what, data, address, **how)

    async def send(self, fields: dict[str, Any], command: str = "staff_update", role: str = "floor") -> dict[str, Any]:
        return await self.table.ask(role, command, **fields)

    @property
    def staff(self) -> list[str]:
        return [member.name for member in read_staff(self.folder / "staff.json").people]

    async def is_rejected(self, fields: dict[str, Any], why: str, command: str = "staff_update") -> None:
        """With this reason, and nothing has changed or is left over."""
        before, staff = self.table.kinds(), self.staff
        answer = await self.send(fields, command)
        assert (answer["ok"], answer["why"]) == (False, why), answer
        assert (self.table.kinds(), self.staff) == (before, staff)
        folder = self.folder / "updates"
        assert not folder.exists() or not list(folder.iterdir())


@asynccontextmanager
async def office(folder: Path) -> AsyncIterator[Office]:
    async with bundle_server(folder) as server, asked_table(folder) as table:
        yield Office(table, server, folder)


async def test_a_preview_states_what_would_change_also_in_a_round_and_changes_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.table.happens(*A_ROUND)
        before, fields = at.table.kinds(), at.signed()
        answer = await at.send({**fields, "preview": True})
        assert (answer["ok"], answer["text"]) == (True, "new: ann, sam.")
        assert (at.table.kinds(), at.staff) == (before, [])
        await at.is_rejected({**fields, "preview": True, "sha256": "00" * 32}, "bad_signature")
        await at.table.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        assert (await at.send(fields))["ok"]
        assert (await at.send({**fields, "preview": True}))["why"] == "old_serial"


async def test_staff_is_fetched_over_https_checked_and_put_in_place(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        answer = await at.send(at.signed())
        assert (answer["ok"], answer["text"]) == (True, "new: ann, sam.")
        assert at.staff == ["ann", "sam"]
        file = tmp_path / "staff.json"
        assert file.stat().st_mode & 0o777 == 0o600
        taken = next(event for event in at.table.events() if event["kind"] == "update_taken")
        assert (taken["what"], taken["serial"], taken["by"]) == ("staff", 1, "floor:pit-desk")
        assert at.table.kinds()[-2:] == ["update_taken", "command"]

        changed = staff_bytes((Role.FLOOR, "ann", "1002"), (Role.DEALER, "kim", "1003"))
        at.server.bodies["staff.json"] = changed
        answer = await at.send(at.signed(changed, serial=2))
        assert answer["text"] == "new: kim; changed: ann; gone: sam."
        assert at.staff == ["ann", "kim"]
    with JournalReader.read(tmp_path / "journal.db") as journal:
        assert rerun(journal, journal.head, resolve).entries == journal.head.n


@pytest.mark.clause("25CFR-547.12")
async def test_the_journal_has_the_hash_the_person_and_the_program_and_no_secret(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        assert (await at.send({**fields, "by": {"name": "ann", "role": "floor"}}, role="program"))["ok"]
        entry = at.table.inputs()[-1]
        assert entry.person is not None
        assert (entry.person.by, entry.person.at) == ("floor:ann", "pit-desk")
        taken = at.table.events()[-2]
        assert {name: taken[name] for name in ("sha256", "serial", "key")} == {
            name: fields[name] for name in ("sha256", "serial", "key")
        }
        written = b"".join(each.input for each in at.table.journal.entries(1))
        member = read_staff(tmp_path / "staff.json").people[0]
        assert member.pin.hash.encode() not in written
        assert member.pin.salt.encode() not in written


async def test_the_same_request_twice_is_fetched_once_and_answered_alike(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        request = at.table.request(**at.signed())
        topic = Topics(SITE, TABLE).command("floor", "pit-desk", "staff_update")
        at.table.drop(topic, request)
        _, first, _ = await at.table.send_raw(topic, request)
        _, second, _ = await at.table.answers.get()
        assert first == second == [{"id": request["id"], "ok": True, "text": "new: ann, sam."}]
        assert at.server.asked == ["staff.json"]
        assert at.table.kinds().count("update_taken") == 1
    async with asked_table(tmp_path) as table:
        assert (await table.send("floor", "staff_update", request)) == first[0], "after a restart too"


@pytest.mark.parametrize("role", ["dealer", "technician", "monitor", "store"])
async def test_who_has_not_the_right_is_rejected(tmp_path: Path, role: str) -> None:
    async with office(tmp_path) as at:
        for command in ("staff_update", "config_update", "software_update"):
            assert (await at.send(at.signed(), command, role))["why"] == "not_allowed"
        assert at.server.asked == []


async def test_a_program_vouches_for_a_floor_supervisor_and_for_nobody_less(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        assert (await at.send(fields, role="program"))["why"] == "no_person"
        dealer = {"name": "sam", "role": "dealer"}
        assert (await at.send({**fields, "by": dealer}, role="program"))["why"] == "not_allowed"
        assert at.server.asked == []


async def test_a_table_that_trusts_nobody_takes_nothing(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        at.trust(UpdatesConfig())
        await at.is_rejected(fields, "no_updates")
        assert at.server.asked == []


async def test_an_unknown_key_is_rejected_before_anything_is_fetched(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(signer=Signer()), "unknown_key")
        assert at.server.asked == []


@pytest.mark.parametrize(
    "changed",
    [
        {"signature": "00" * 64},
        {"sha256": "00" * 32},
        {"size": 4711},
        {"serial": 99},
        {"issued": NOW - 1},
    ],
)
async def test_a_reference_with_anything_changed_after_signing_is_rejected(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected({**at.signed(), **changed}, "bad_signature")
        assert at.server.asked == []


@pytest.mark.parametrize("other", [{"site": "elsewhere"}, {"table": "t-99"}, {"what": "software"}])
async def test_a_reference_for_another_site_table_or_kind_is_rejected(tmp_path: Path, other: dict[str, Any]) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(**other), "bad_signature")
        assert at.server.asked == []


async def test_an_old_bundle_cannot_be_played_again_even_after_a_restart(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        old = at.signed(serial=5)
        assert (await at.send(old))["ok"]
        await at.is_rejected(old, "old_serial")
        await at.is_rejected(at.signed(serial=4), "old_serial")
        trusted = at.table.config.updates
    async with asked_table(tmp_path) as table:
        table.config = msgspec.structs.replace(table.config, updates=trusted)
        assert (await table.ask("floor", "staff_update", **old, id="again"))["why"] == "old_serial"


@pytest.mark.parametrize("issued", [NOW - 73 * HOUR, NOW + HOUR])
async def test_a_reference_is_good_for_a_limited_time(tmp_path: Path, issued: int) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(issued=issued), "not_recent")


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.2/bundles/staff.json",
        "http://127.0.0.1/bundles/staff.json",
        "{base}../staff.json",
        "{base}staff.json?to=https://evil.example/",
        "{base}%2e%2e/staff.json",
        "{base}x@evil.example",
        "file:///etc/passwd",
        "ftp://127.0.0.1/staff.json",
    ],
)
async def test_nothing_is_fetched_from_an_address_that_is_not_allowed(tmp_path: Path, address: str) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(address=address.format(base=at.server.base)), "address_not_allowed")
        assert at.server.asked == []


async def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        at.server.bodies["staff.json"] = STAFF
        await at.is_rejected(at.signed(name="elsewhere"), "not_fetched")
        assert at.server.asked == ["elsewhere"]


async def test_a_server_that_the_sites_authority_does_not_vouch_for_is_not_used(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        other = Authority(tmp_path, "other-ca")
        at.trust(at.server.updates(at.signer.public, ca=str(other.file)))
        await at.is_rejected(at.signed(), "not_fetched")
        assert at.server.asked == []


async def test_a_file_that_the_server_does_not_have_is_said_so(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        at.server.bodies.clear()
        await at.is_rejected(fields, "not_fetched")


async def test_a_slow_server_is_left_after_the_time_allowed_and_holds_up_no_other_request(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        at.trust(at.server.updates(at.signer.public, within_s=1))
        topics = Topics(SITE, TABLE)
        at.table.drop(topics.command("floor", "pit-desk", "staff_update"), at.table.request(**at.signed(name="slow")))
        pong = await at.table.ask("floor", "ping")
        assert "seq" in pong, "the other request is answered first"
        _, (late,), _ = await at.table.answers.get()
        assert (late["why"], late["text"]) == ("not_fetched", "it did not come within 1 s")
        assert not list((tmp_path / "updates").iterdir())


async def test_another_body_than_was_signed_is_rejected(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        at.server.bodies["staff.json"] = STAFF[:-1] + b" "
        await at.is_rejected(fields, "wrong_hash")
        at.server.bodies["staff.json"] = STAFF + bytes(10**7)
        await at.is_rejected(fields, "wrong_size")
        at.server.bodies["staff.json"] = STAFF[:-1]
        await at.is_rejected(fields, "wrong_size")


async def test_more_than_a_table_takes_is_not_fetched(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(bytes(MOST_TEXT + 1)), "wrong_size")
        at.trust(at.server.updates(at.signer.public, max_mb=1))
        fields = at.signed(PACKAGE + bytes(2**20), name="big.deb", what="software")
        await at.is_rejected(fields, "wrong_size", "software_update")
        assert at.server.asked == []


async def test_what_a_server_sends_the_second_time_is_never_asked_for(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        assert (await at.send(fields))["ok"]
        at.server.bodies["staff.json"] = staff_bytes((Role.FLOOR, "eve", "6666"))
        assert at.staff == ["ann", "sam"]
        assert at.server.asked == ["staff.json"]


def _with(data: bytes, **more: Any) -> bytes:
    staff = msgspec.json.decode(data)
    staff["people"][0] |= more
    return msgspec.json.encode(staff)


PEM = "-----BEGIN " + "PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (_with(STAFF, full_name=PEM), "holds_private_key"),
        (_with(STAFF, full_name="x").replace(b'"x"', b'"-----BEGIN EC \\u0050RIVATE KEY-----"'), "holds_private_key"),
        (PEM.encode(), "holds_private_key"),
        (_with(STAFF, secret="x"), "bad_bundle"),
        (_with(STAFF, pin="294857"), "bad_bundle"),
        (_with(STAFF, pin={"salt": "5a" * 16, "hash": "5a" * 32, "n": 2}), "bad_bundle"),
        (_with(STAFF, pin={"salt": "5a" * 16, "hash": "5a" * 32, "n": 2**40}), "bad_bundle"),
        (_with(STAFF, pin={"salt": "zz" * 16, "hash": "5a" * 32}), "bad_bundle"),
        (_with(STAFF, name="sam"), "bad_bundle"),
        (_with(STAFF, role="program"), "bad_bundle"),
        (staff_bytes((Role.DEALER, "sam", "1001")), "bad_bundle"),
        (b'{"badge_salt":"' + b"5a" * 16 + b'","people":' + b"[" * 100_000, "bad_bundle"),
        (b"\xff\xfe", "bad_bundle"),
    ],
)
async def test_a_staff_file_that_must_not_be_is_rejected_although_it_is_signed(
    tmp_path: Path, data: bytes, why: str
) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(data), why)


async def test_staff_changes_between_rounds_only(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        fields = at.signed()
        await at.table.happens(*A_ROUND)
        await at.is_rejected(fields, "round_running")
        assert at.server.asked == []
        await at.table.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        assert (await at.send(fields))["ok"]


async def test_a_stick_is_read_and_no_link_on_it_is_followed(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    (stick / "july").mkdir(parents=True)
    (stick / "july" / "staff.json").write_bytes(STAFF)
    (stick / "link.json").symlink_to(stick / "july" / "staff.json")
    (stick / "linked").symlink_to(stick / "july")
    os.mkfifo(stick / "pipe")
    base = f"file://{stick}/"
    async with office(tmp_path) as at:
        at.trust(UpdatesConfig(keys={"office": at.signer.public}, addresses=(base,)))
        for name in ("link.json", "linked/staff.json", "pipe", "july", "missing.json"):
            await at.is_rejected(at.signed(address=base + name), "not_fetched")
        assert (await at.send(at.signed(address=base + "july/staff.json")))["ok"]
        (stick / "july" / "staff.json").write_bytes(staff_bytes((Role.FLOOR, "eve", "6666")))
        assert at.staff == ["ann", "sam"], "the table has its own copy"


async def test_staff_that_is_in_the_journal_is_put_in_place_at_the_next_start(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert (await at.send(at.signed()))["ok"]
    (tmp_path / "staff.json").unlink()
    waiting = tmp_path / "updates" / "staff.json.new"
    waiting.write_bytes(STAFF)
    async with asked_table(tmp_path) as table:
        await table.updates.finish()
        assert [member.name for member in read_staff(tmp_path / "staff.json").people] == ["ann", "sam"]
        assert not waiting.exists()
        waiting.write_bytes(staff_bytes((Role.FLOOR, "eve", "6666")))
        await table.updates.finish()
        assert [member.name for member in read_staff(tmp_path / "staff.json").people] == ["ann", "sam"]
        assert not waiting.exists(), "what the journal does not know is removed"


async def test_software_waits_for_a_technician_with_its_signature(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.table.happens(*A_ROUND)
        answer = await at.send(at.signed(PACKAGE, "cutcard.deb", "software"), "software_update")
        assert answer["ok"], "it is only put aside, also while a round runs"
        waiting = WaitingSoftware(tmp_path)
        assert str(waiting.package) in answer["text"]
        assert waiting.package.read_bytes() == PACKAGE
        assert waiting.package.stat().st_mode & 0o777 == 0o600
        assert waiting.checked(at.table.config, tmp_path / "copy.deb").by == "floor:pit-desk"
        assert (tmp_path / "copy.deb").read_bytes() == PACKAGE


async def test_a_package_that_changes_after_it_was_put_aside_is_not_installed(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert (await at.send(at.signed(PACKAGE, "cutcard.deb", "software"), "software_update"))["ok"]
        waiting = WaitingSoftware(tmp_path)
        waiting.package.write_bytes(PACKAGE[:-1] + b"x")
        with pytest.raises(UserError, match="not the package that was signed"):
            waiting.checked(at.table.config, tmp_path / "copy-1.deb")
        (tmp_path / "real.deb").write_bytes(PACKAGE)
        waiting.package.unlink()
        waiting.package.symlink_to(tmp_path / "real.deb")
        with pytest.raises(UserError, match="cannot be read"):
            waiting.checked(at.table.config, tmp_path / "copy-2.deb")
        waiting.package.unlink()
        waiting.package.write_bytes(PACKAGE)
        other = msgspec.structs.replace(at.table.config, table="t-99")
        with pytest.raises(UserError, match="Do not install it"):
            waiting.checked(other, tmp_path / "copy-3.deb")


async def test_what_is_no_package_is_rejected(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.is_rejected(at.signed(b"#!/bin/sh\n" * 20, "x.deb", "software"), "bad_bundle", "software_update")
