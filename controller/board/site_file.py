"""board.toml, on the boot partition: what the site says of this board. Any computer can write it there.

    table = "baccarat-7"
    site = "riverside"
    ruleset = "bankers-ez-baccarat-panda-8"
    broker = "broker.riverside"
    address = "10.4.0.27/24"
    gateway = "10.4.0.1"
    dns = ["10.4.0.1"]
    time = ["10.4.0.1"]

Nothing in it is necessary. What is missing of the first four is asked at the console, once; the rest is read at each
start. A file that cannot be used changes nothing: the board starts as without it, and says why.
"""

from __future__ import annotations

import ipaddress
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.errors import UserError
from controller.toml_text import loads
from protocols.type_errors import in_words

FILE = "board.toml"

HostName = Annotated[str, Meta(pattern=r"^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")]
"""Or an IPv4 address, which is written with the same letters."""
PasswordHash = Annotated[str, Meta(pattern=r"^\$(y|gy|7|2b|6|5)\$[A-Za-z0-9./$=,]{20,200}$")]
"""As `mkpasswd` prints it; never a password itself."""


class SiteFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be in the file."""

    site: str | None = None
    table: str | None = None
    ruleset: str | None = None
    broker: HostName | None = None
    name: HostName | None = None
    """Of the board in the network; else the table's name."""
    address: str | None = None
    """With its prefix; else the network's DHCP server gives one."""
    gateway: str | None = None
    dns: tuple[str, ...] = ()
    time: tuple[HostName, ...] = ()
    """The cardroom's time servers."""
    console_password: PasswordHash | None = None
    """With which root may log in at the serial console; without it nobody can."""

    def __post_init__(self) -> None:
        if self.address is not None:
            ipaddress.ip_interface(self.address)
            if "/" not in self.address:
                raise ValueError(f"address is written with its prefix, as in {self.address}/24")
        for server in (*self.dns, *([] if self.gateway is None else [self.gateway])):
            ipaddress.ip_address(server)
        if self.address is None and self.gateway is not None:
            raise ValueError("a gateway needs an address")


def read_site_file(folder: Path) -> SiteFile:
    """Of the boot partition; an empty one where it has none. `UserError` where it cannot be used."""
    file = folder / FILE
    try:
        return msgspec.convert(loads(file.read_text()), SiteFile)
    except FileNotFoundError:
        return SiteFile()
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: {in_words(error)}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{file} is no TOML file: {error}.") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}.") from None
