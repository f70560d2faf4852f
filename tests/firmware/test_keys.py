"""Keys, signatures and the register of devices on disk: what is refused, and in which words."""

from __future__ import annotations

import json
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.board_key import new_key
from controller.cli.main import main
from controller.config import FirmwareConfig
from controller.engine.table.state import Device
from controller.firmware import trust
from controller.firmware.fit import misfits
from controller.firmware.inventory import Item, as_table, facts_of, inventory
from controller.firmware.signing import ImageError, check, is_older
from controller.firmware.trust import TrustError
from devices.link.authentication import DeviceVetted, Enrolled, policy_of
from protocols.firmware.image import HEAD_SIZE, pack
from tests.support.project import ROOT
from tests.support.wire.firmware_images import DEVICE_KEY, STRANGER, an_image, public_hex

SIGNERS = {"vendor": public_hex()}
SHOE = Item("shoe", "shoe", "online", "SIM-SHOE", "SIM-0001", "1.0.0", "1.0.2", 1, "00" * 8, 0)


# Images


def test_a_signed_image_is_known_by_its_signers_name() -> None:
    signed = check(an_image().data, {"other": public_hex(STRANGER), **SIGNERS})
    assert signed.signer == "vendor"
    assert signed.image == an_image()


@pytest.mark.parametrize("at", [5, 20, 40, 60, 100, 155])
def test_one_changed_bit_of_the_head_is_seen(at: int) -> None:
    data = bytearray(an_image().data)
    data[at] ^= 1
    with pytest.raises(ImageError):
        check(bytes(data), SIGNERS)


def test_a_changed_payload_a_short_and_a_long_file_are_seen() -> None:
    data = an_image().data
    for changed in (data[:-1] + bytes((data[-1] ^ 1,)), data[:-1], data + b"\0", data[:HEAD_SIZE], data[:10], b""):
        with pytest.raises(ImageError, match="no firmware image"):
            check(changed, SIGNERS)


def test_a_signature_of_somebody_else_under_the_vendors_key_id_is_a_forgery() -> None:
    real = an_image()
    forged = pack(real.manifest, STRANGER.sign(real.signed), real.data[HEAD_SIZE:])
    with pytest.raises(ImageError, match="claims to be signed by 'vendor', and is not"):
        check(forged.data, SIGNERS)


def test_a_public_key_that_is_none_is_named() -> None:
    with pytest.raises(ImageError, match=r"\[firmware.signers\] vendor: '1234' is no Ed25519 public key"):
        check(an_image().data, {"vendor": "1234"})


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [("1.9", "1.10", True), ("1.10", "1.9", False), ("1.0", "1.0.0", False), ("2.0", "1.9.9", False), ("a", "1", None)],
)
def test_versions_are_compared_as_numbers(version: str, than: str, older: bool | None) -> None:
    assert is_older(version, than) is older


def test_an_image_is_made_and_checked_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, payload, image = tmp_path / "sign.pem", tmp_path / "shoe.bin", tmp_path / "shoe.ccfw"
    payload.write_bytes(b"program")
    assert main(["firmware", "keygen", str(key)]) == 0
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    public = capsys.readouterr().out.split()[-1]
    arguments = ["firmware", "sign", str(payload), str(image), "--key", str(key), "--kind", "shoe"]
    arguments += ["--model", "EZ-READ 8", "--version", "2.4.0", "--hardware", "1-3", "--security", "2"]
    assert main(arguments) == 0
    manifest = check(image.read_bytes(), {"us": public}).image.manifest
    assert (manifest.model, manifest.version, manifest.security) == ("EZ-READ 8", "2.4.0", 2)
    assert (manifest.hardware_from, manifest.hardware_to, manifest.size) == (1, 3, 7)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"--model": "a name that is far too long"}, "1 to 16 printable characters"),
        ({"--hardware": "3-1"}, "from low to high"),
        ({"--hardware": "new"}, "write them as in 1-3"),
        ({"--security": "-1"}, "does not fit"),
        ({"--key": "nowhere.pem"}, "cannot be used"),
    ],
)
def test_an_image_that_cannot_be_made_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], says: str
) -> None:
    key, payload = tmp_path / "sign.pem", tmp_path / "shoe.bin"
    payload.write_bytes(b"program")
    new_key(key)
    options = {"--key": str(key), "--kind": "shoe", "--model": "M", "--version": "1", **changes}
    arguments = [
        "firmware",
        "sign",
        str(payload),
        str(tmp_path / "out"),
        *(w for pair in options.items() for w in pair),
    ]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("cutcard: ")
    assert says in error
    assert not (tmp_path / "out").exists()


# Whether an image fits


@pytest.mark.parametrize(
    ("image", "item", "says"),
    [
        (an_image(), SHOE, None),
        (an_image(), replace(SHOE, trust="cloned restart"), "it is not the device that was enrolled"),
        (an_image("0.9"), SHOE, "0.9 is older than its 1.0.0"),
        (an_image(security=0), replace(SHOE, security=1), "no security number below 1"),
        (an_image(), Item("boxes", "drop_box", "online"), "a drop box takes no firmware over its line"),
        (an_image(), Item("shoe", "shoe", "never seen"), "it has never been seen"),
        (an_image(), Item("shoe", "shoe", "online", "SIM-SHOE", "1", "0.1"), "its bootloader cannot take an update"),
    ],
)
def test_what_speaks_against_an_image(image: Any, item: Item, says: str | None) -> None:
    found = misfits(image, item, anti_rollback=True)
    assert found == [] if says is None else says in found[0]


def test_going_back_is_possible_where_the_site_allows_it() -> None:
    assert misfits(an_image("0.9"), SHOE, anti_rollback=False) == []


# The register on disk


def a_file(folder: Path, content: object, mode: int = 0o600) -> Path:
    path = folder / trust.FILE
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    path.chmod(mode)
    return path


def test_what_is_enrolled_is_written_for_its_owner_alone_and_read_again(tmp_path: Path) -> None:
    enrolled = {
        "shoe": Enrolled(model="M", serial="1", key=DEVICE_KEY, firmware="1.0", image="ab"),
        "panel": Enrolled(model="P", serial="2"),
    }
    path = tmp_path / trust.FILE
    trust.save(path, enrolled)
    assert trust.load(path) == enrolled
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [trust.FILE]


def test_without_a_file_nobody_is_enrolled(tmp_path: Path) -> None:
    assert trust.load(tmp_path / trust.FILE) == {}


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
def test_a_register_that_others_can_get_at_is_not_used(tmp_path: Path, mode: int) -> None:
    path = a_file(tmp_path, {"format": 1, "devices": {}}, mode)
    with pytest.raises(TrustError, match=f"mode {mode:04o}.*Consider its keys known.*chmod 600"):
        trust.load(path)


ENTRY = {"model": "M", "serial": "1"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no register"),
        ({"format": 2, "devices": {}}, "format"),
        ({"format": 1, "devices": {"shoe": {**ENTRY, "key": "5ec4e7"}}}, "key"),
        ({"format": 1, "devices": {"shoe": {**ENTRY, "colour": "red"}}}, "colour"),
        ({"format": 1, "devices": {"a": ENTRY, "b": ENTRY}}, "has M 1 as 'a' and 'b'; a device is in one place"),
    ],
)
def test_a_register_that_is_none_is_explained_without_telling_a_key(tmp_path: Path, content: object, says: str) -> None:
    with pytest.raises(TrustError, match=says) as refused:
        trust.load(a_file(tmp_path, content))
    assert "5ec4e7" not in str(refused.value)


def test_a_daemon_does_not_start_with_a_register_that_others_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "t"\ntable = "t"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n[web]\nport = 0\n'
    )
    (tmp_path / "data").mkdir()
    a_file(tmp_path / "data", {"format": 1, "devices": {}}, 0o644)
    assert main(["run", "--config", str(config)]) == 2
    assert "others may read" in capsys.readouterr().err


# Inventory and policy


def vetted(**changes: Any) -> DeviceVetted:
    fields: dict[str, Any] = {
        "device": "shoe",
        "model": "M",
        "serial": "1",
        "firmware": "1.0",
        "bootloader": "0.1",
        "hardware": 3,
        "image": "ab",
        "security": 0,
        "proved": True,
        "findings": (),
        "detail": "",
        "refused": False,
    }
    return DeviceVetted(**{**fields, **changes})


def test_facts_of_a_device_replace_those_of_the_one_before_it_and_leave_the_rest() -> None:
    known = {"kind": "shoe", "model": "OLD", "bootloader": "9", "image": "zz", "mode": "batch"}
    assert facts_of(vetted(), known) == {
        "kind": "shoe",
        "mode": "batch",
        "model": "M",
        "serial": "1",
        "firmware": "1.0",
        "bootloader": "0.1",
        "hardware": "3",
        "image": "ab",
        "security": "0",
        "trust": "proved",
    }
    silent = facts_of(vetted(bootloader=None, hardware=None, image=None, security=None, proved=False), known)
    assert silent == {"kind": "shoe", "mode": "batch", "model": "M", "serial": "1", "firmware": "1.0"}
    assert facts_of(vetted(findings=("swapped", "restart")), known)["trust"] == "swapped restart"


def test_the_inventory_lists_every_configured_device_seen_or_not() -> None:
    seen = {"shoe": Device("online", facts_of(vetted(), {"kind": "shoe"})), "gone": Device("online", {})}
    items = inventory(seen, {"shoe": "shoe", "boxes": "drop_box"})
    assert [(item.device, item.state, item.hardware) for item in items] == [
        ("shoe", "online", 3),
        ("boxes", "never seen", None),
    ]
    head, first, second = as_table(items).splitlines()
    assert head.split() == ["device", "kind", "state", "model", "serial", "firmware", "bootloader", "board", "trust"]
    assert first.split() == ["shoe", "shoe", "online", "M", "1", "1.0", "0.1", "3", "proved"]
    assert second.startswith("boxes   drop box  never seen")


def test_refusing_everything_only_flags_a_restart_by_default() -> None:
    assert policy_of("refuse")["restart"] == "flag"
    assert policy_of("refuse")["cloned"] == "refuse"
    assert policy_of("flag", {"cloned": "refuse"}) == {**policy_of("flag"), "cloned": "refuse"}


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('[firmware]\ntrust = "maybe"', "trust"),
        ('[firmware.reactions]\nstolen = "refuse"', "firmware.reactions"),
        ('[firmware.signers]\nvendor = "12"', "firmware.signers"),
        ('[firmware]\ncolour = "red"', "anti_rollback, reactions, signers, trust"),
    ],
)
def test_a_firmware_section_that_cannot_be_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, says: str
) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        f'site = "t"\ntable = "t"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n{lines}\n'
    )
    assert main(["firmware", "list", "--config", str(config)]) == 2
    assert says in capsys.readouterr().err


def test_the_settings_on_the_page_are_settings() -> None:
    text = (ROOT / "docs" / "operations" / "firmware.md").read_text()
    shown = tomllib.loads("".join(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)))["firmware"]
    config = msgspec.convert(shown, FirmwareConfig)
    assert set(shown) == set(FirmwareConfig.__struct_fields__)
    assert policy_of(config.trust, config.reactions)["cloned"] == "refuse"


def test_a_table_that_never_ran_lists_its_devices_as_never_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "cutcard.toml"
    shoe = '[[devices]]\nid = "shoe"\nkind = "shoe"\nurl = "/dev/null"\n'
    config.write_text(f'site = "t"\ntable = "t"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n{shoe}')
    assert main(["firmware", "list", "--config", str(config)]) == 0
    assert "never seen" in capsys.readouterr().out
