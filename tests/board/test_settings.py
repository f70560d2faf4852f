"""What the site says of a board on its boot partition, and what the system is given of it at each start."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.board.settings import system_files
from controller.board.site_file import SiteFile, read_site_file
from controller.cli.main import main
from controller.config import read_config
from controller.errors import UserError

WHOLE = """
site = "riverside"
table = "baccarat-7"
ruleset = "bankers-ez-baccarat-panda-8"
broker = "broker.riverside"
name = "table-seven"
address = "10.4.0.27/24"
gateway = "10.4.0.1"
dns = ["10.4.0.1", "10.4.0.2"]
time = ["10.4.0.1"]
"""


def written(site: Path) -> dict[str, str]:
    return {file.place: file.text for file in system_files(read_site_file(site), site)}


def test_a_board_without_a_file_of_its_site_is_given_nothing(tmp_path: Path) -> None:
    assert read_site_file(tmp_path) == SiteFile()
    assert written(tmp_path) == {}


def test_name_address_and_time_servers_go_where_the_system_looks_for_them(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text(WHOLE)
    files = written(tmp_path)
    assert files["etc/hostname"] == "table-seven\n"
    assert "127.0.1.1 table-seven" in files["etc/hosts"]
    network = files["etc/systemd/network/70-site.network"]
    for line in ("Type=ether", "Address=10.4.0.27/24", "Gateway=10.4.0.1", "DNS=10.4.0.2"):
        assert line in network.splitlines()
    assert "DHCP" not in network
    assert "NTP=10.4.0.1" in files["etc/systemd/timesyncd.conf.d/site.conf"].splitlines()


def test_without_a_name_the_board_has_that_of_its_table_and_without_an_address_the_network_gives_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "board.toml").write_text('table = "baccarat-7"\ndns = ["10.4.0.2"]\n')
    files = written(tmp_path)
    assert files["etc/hostname"] == "baccarat-7\n"
    assert "DHCP=yes" in files["etc/systemd/network/70-site.network"].splitlines()


def test_nobody_may_log_in_over_the_network_but_with_a_key_of_the_site(tmp_path: Path) -> None:
    assert "etc/ssh/site_keys" not in written(tmp_path)
    (tmp_path / "authorized_keys").write_text("ssh-ed25519 AAAA technician\n")
    found = {file.place: file for file in system_files(SiteFile(), tmp_path)}
    assert found["etc/ssh/site_keys"].text == "ssh-ed25519 AAAA technician\n"
    assert found["etc/ssh/site_keys"].mode == 0o600


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("table = ", "no TOML"),
        ('tabel = "baccarat-7"', "tabel"),
        ('name = "Baccarat 7"', "name"),
        ('address = "10.4.0.27"', "prefix"),
        ('address = "10.4.0.270/24"', "10.4.0.270"),
        ('gateway = "10.4.0.1"', "gateway"),
        ('dns = ["ns.riverside"]', "ns.riverside"),
        ('time = ["a\\nNTP=b"]', "time"),
        ('console_password = "secret"', "console_password"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "board.toml").write_text(text)
    with pytest.raises(UserError) as refused:
        read_site_file(tmp_path)
    assert words in str(refused.value)


def test_the_broker_is_asked_for_and_its_connection_is_encrypted_where_its_authority_is_there(tmp_path: Path) -> None:
    plain, encrypted = tmp_path / "plain" / "cutcard.toml", tmp_path / "encrypted" / "cutcard.toml"
    (encrypted.parent / "tls").mkdir(parents=True)
    (encrypted.parent / "tls" / "broker-ca.crt").write_text("an authority")
    for file in (plain, encrypted):
        nothing = tmp_path / "no-port"
        assert main(["config", "init", str(nothing), "--config", str(file), "--broker", "broker.riverside"]) == 0
    without, with_tls = read_config(plain).mqtt.broker[0], read_config(encrypted).mqtt.broker[0]
    assert (without.host, without.port, without.tls) == ("broker.riverside", 1883, None)
    assert (with_tls.host, with_tls.port) == ("broker.riverside", 8883)
    assert with_tls.tls is not None and with_tls.tls.key is not None and with_tls.tls.key.endswith("tls/table.key")
