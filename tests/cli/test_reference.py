"""`cutcard reference`: the office signs what a table then takes, and nothing that no table would take."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from controller.contract.requests import decode_request
from controller.engine.update_inputs import Reference
from controller.updates.statement import expect_signed
from tests.support.running.bundle_servers import PACKAGE, staff_bytes

ADDRESS = "https://files.riverside.example/cutcard/staff.json"


def sign(folder: Path, what: str, data: bytes, *more: str, address: str = ADDRESS) -> int:
    (folder / "bundle").write_bytes(data)
    common = ("--address", address, "--site", "riverside", "--table", "one", "--key", str(folder / "office.key"))
    return main(("reference", "sign", what, str(folder / "bundle"), *common, *more))


@pytest.fixture
def public(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Of the office's new key."""
    assert main(("reference", "keygen", str(tmp_path / "office.key"))) == 0
    assert (tmp_path / "office.key").stat().st_mode & 0o777 == 0o600
    return capsys.readouterr().out.splitlines()[-1]


@pytest.fixture
def office(tmp_path: Path, public: str) -> Path:
    """Where that key is."""
    assert len(public) == 64
    return tmp_path


def test_what_it_prints_are_the_fields_of_a_request(
    tmp_path: Path, public: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sign(tmp_path, "staff", staff_bytes()) == 0
    fields = msgspec.json.decode(capsys.readouterr().out)
    decode_request("staff_update", msgspec.json.encode({"id": "r1", "expires": 1, **fields}))
    signature = fields.pop("signature")
    reference = msgspec.convert({"what": "staff", **fields}, Reference)
    assert expect_signed(reference, signature, {"office": public}, "riverside", "one") == "office"
    assert reference.serial == reference.issued // 1000


def test_a_package_is_signed_with_the_serial_that_was_given(
    tmp_path: Path, public: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sign(tmp_path, "software", PACKAGE, "--serial", "7") == 0
    assert msgspec.json.decode(capsys.readouterr().out)["serial"] == 7


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (("staff", b"{}", ADDRESS), "no staff file"),
        (("configuration", b"# -----BEGIN " + b"PRIVATE KEY-----", ADDRESS), "private key"),
        (("software", b"#!/bin/sh", ADDRESS), "no Debian package"),
        (("software", PACKAGE, "http://files.example/cutcard.deb"), "not an address"),
    ],
)
def test_what_no_table_takes_is_not_signed(
    office: Path, capsys: pytest.CaptureFixture[str], case: tuple[str, bytes, str], words: str
) -> None:
    what, data, address = case
    assert sign(office, what, data, address=address) == 2
    assert words in capsys.readouterr().err


def test_a_table_at_which_nothing_waits_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "riverside"\ntable = "one"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
    )
    assert main(("reference", "show", "--config", str(config))) == 2
    assert "No package waits" in capsys.readouterr().err
