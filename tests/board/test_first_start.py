"""A board's first start with a broker that wants TLS: the request goes out, and the certificate comes in, by the boot
partition."""

from __future__ import annotations

from pathlib import Path

from cryptography import x509

from controller.board.setup import CERTIFICATE, REQUEST, offer_request, take_authority, take_certificate
from controller.config import read_config
from controller.mqtt.credentials import tls_context
from tests.support.authorities import Authority

CONFIG = """
site = "riverside"
table = "baccarat-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[[mqtt.broker]]
host = "broker.riverside"
port = 8883
[mqtt.broker.tls]
ca = "tls/broker-ca.crt"
cert = "tls/table.crt"
key = "tls/table.key"
"""


def test_the_boot_partition_carries_the_request_out_and_the_certificate_in(tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "etc"
    site.mkdir()
    folder.mkdir()
    (folder / "cutcard.toml").write_text(CONFIG)
    authority = Authority(site, "broker-ca")
    config = read_config(folder / "cutcard.toml")

    assert take_authority(site, folder)
    offer_request(config, folder, site)
    request = x509.load_pem_x509_csr((site / REQUEST).read_bytes())
    assert [name.value for name in request.subject] == ["riverside/baccarat-1"]
    assert not list(site.glob("*.key.next"))
    assert take_certificate(config, folder, site) == ""

    authority.sign(site / REQUEST, site / CERTIFICATE)
    assert take_certificate(config, folder, site).startswith("riverside/baccarat-1 has its certificate")
    assert take_certificate(config, folder, site) == ""
    assert tls_context(config.brokers["main"]) is not None


def test_a_cardroom_without_an_authority_of_its_broker_has_no_encrypted_connection(tmp_path: Path) -> None:
    assert not take_authority(tmp_path, tmp_path)
