"""How to reach the broker."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

CREDENTIAL = "credential:"
"""The prefix of a systemd credential's name where a file could be named."""
_LIVE = {"when": "live", "unit": ""}


class Tls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The broker is reached over TLS. Without `ca`, the system's authorities decide whom to trust."""

    ca: Annotated[
        str | None, Meta(description="Whom we believe that it is the broker: the authority's certificate.", extra=_LIVE)
    ] = None
    cert: Annotated[
        str | None, Meta(description="Our certificate, where the broker asks for one. It goes with key.", extra=_LIVE)
    ] = None
    key: Annotated[
        str | None,
        Meta(description="Its key, for its owner alone. Or `credential:NAME`, from systemd.", extra=_LIVE),
    ] = None


class MqttSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the broker is, and who we are to it."""

    host: str
    port: int = 1883
    socket: str | None = None
    """Where the broker is a program on this board that has a socket in the file system: its path, instead of both."""
    client_id: str
    """One per table: a second client with the same id throws the first out."""
    username: str | None = None
    password_file: str | None = None
    """The password is the first line of this file; it is read again at every connection."""
    tls: Tls | None = None
    keepalive: int = 15
    """Seconds of silence after which either side takes the other for dead."""
    version: Literal["5", "3.1.1"] = "5"
    """3.1.1 is for older brokers, such as the demo's: they cannot report a refused event, and an
    event refused in silence is lost to the cardroom."""

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}" if self.socket is None else self.socket


def credential_file(name: str) -> Path | None:
    """Where systemd put the credential that `credential:NAME` names; None where we are not its service."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    return None if not folder else Path(folder) / name.removeprefix(CREDENTIAL)
