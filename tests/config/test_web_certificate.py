"""A page on the network has a certificate, or the configuration is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError, read_config
from tests.support.authorities import SERVER, Authority

CONFIG = """
site = "test"
table = "t-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[web]
"""


def judged(folder: Path, web: str, *, files: bool = False) -> str:
    """What is wrong with this section."""
    path = folder / "cutcard.toml"
    path.write_text(CONFIG + web)
    try:
        read_config(path, files=files)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("host", ["10.0.0.7", "0.0.0.0", "::", "", "baccarat-1.tables.riverside", "2001:db8::7"])
def test_an_address_on_the_network_needs_a_certificate(tmp_path: Path, host: str) -> None:
    refused = judged(tmp_path, f'host = "{host}"')
    assert "PINs must not be sent in the clear" in refused and "cutcard enroll --page" in refused


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_loopback_needs_none(tmp_path: Path, host: str) -> None:
    assert judged(tmp_path, f'host = "{host}"') == ""


def test_with_a_certificate_it_is_accepted_and_its_files_are_looked_at(tmp_path: Path) -> None:
    web = 'host = "10.0.0.7"\ncertificate = "page.crt"\nkey = "page.key"\n'
    assert judged(tmp_path, web) == ""
    assert "there is no file" in judged(tmp_path, web, files=True)
    Authority(tmp_path, "pages").issue("page", SERVER, host="10.0.0.7")
    assert judged(tmp_path, web, files=True) == ""
    (tmp_path / "page.key").chmod(0o644)
    assert "others may read" in judged(tmp_path, web, files=True)


def test_a_certificate_and_its_key_go_together(tmp_path: Path) -> None:
    assert "key is missing" in judged(tmp_path, 'host = "10.0.0.7"\ncertificate = "page.crt"\n')
    assert "local_port" in judged(tmp_path, "local_port = 8081\n")
