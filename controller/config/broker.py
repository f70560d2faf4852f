"""How to reach the broker."""

from __future__ import annotations

import os
import ssl
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.mqtt.problems import BrokerRefused
from controller.private_files import NotPrivate, expect_private

CREDENTIAL = "credential:"
"""What stands before the name of a systemd credential where a file could be named."""
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
    """The password is the first line of this file; it is read anew at every connection."""
    tls: Tls | None = None
    keepalive: int = 15
    """Seconds of silence after which either side takes the other for dead."""
    version: Literal["5", "3.1.1"] = "5"
    """3.1.1 is for brokers that know no better, such as the demo's: they cannot say that they refuse an event, and an
    event refused in silence is lost to the cardroom."""

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}" if self.socket is None else self.socket

    def password(self) -> str | None:
        if self.password_file is None:
            return None
        try:
            return _private_file(self.password_file).read_text().partition("\n")[0].rstrip("\r")
        except NotPrivate as error:
            raise BrokerRefused(f"The broker at {self.address} cannot be asked: {error}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise BrokerRefused(
                f"The broker at {self.address} cannot be asked: the password file {self.password_file} cannot be read "
                f"({error}). Write the password into that file, readable for this daemon, or remove mqtt.password_file."
            ) from error

    def tls_context(self) -> ssl.SSLContext | None:
        if self.tls is None:
            return None
        try:
            # With the name in the broker's certificate checked against `host`.
            context = ssl.create_default_context(cafile=self.tls.ca)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            if self.tls.cert:
                key = _private_file(self.tls.key or self.tls.cert)
                context.load_cert_chain(self.tls.cert, key)
        except NotPrivate as error:
            raise BrokerRefused(f"The broker at {self.address} cannot be asked: {error}") from error
        except (OSError, ssl.SSLError) as error:
            raise BrokerRefused(
                f"The broker at {self.address} cannot be asked: the TLS files cannot be used ({error}). Check "
                "mqtt.tls.ca, mqtt.tls.cert and mqtt.tls.key: PEM files, readable for this daemon, the key belonging "
                "to the certificate."
            ) from error
        return context


def credential_file(name: str) -> Path | None:
    """Where systemd put the credential that `credential:NAME` names; None where we are not its service."""
    folder = os.environ.get("CREDENTIALS_DIRECTORY")
    return None if not folder else Path(folder) / name.removeprefix(CREDENTIAL)


def _private_file(name: str) -> Path:
    """The file that a secret stands in; `NotPrivate` where others may read it."""
    if name.startswith(CREDENTIAL):
        path = credential_file(name)
        if path is None:
            raise NotPrivate(f"{name} is handed over by systemd, and this was not started by it. Start the service.")
        # systemd guards the folder; the mode of the file says nothing.
        return path
    path = Path(name)
    expect_private(path)
    return path
