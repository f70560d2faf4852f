"""How to reach the broker."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Literal

from msgspec import Struct

from controller.firmware.private import NotPrivate, expect_private
from controller.mqtt.problems import BrokerRefused


class Tls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The broker is reached over TLS. Without `ca`, the system's authorities decide whom to trust."""

    ca: str | None = None
    cert: str | None = None
    """Our certificate, where the broker asks for one; with its `key`."""
    key: str | None = None


class MqttSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the broker is, and who we are to it."""

    host: str
    port: int = 1883
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
        return f"{self.host}:{self.port}"

    def password(self) -> str | None:
        if self.password_file is None:
            return None
        try:
            return Path(self.password_file).read_text().partition("\n")[0].rstrip("\r")
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
                expect_private(Path(self.tls.key or self.tls.cert))
                context.load_cert_chain(self.tls.cert, self.tls.key)
        except NotPrivate as error:
            raise BrokerRefused(f"The broker at {self.address} cannot be asked: {error}") from error
        except (OSError, ssl.SSLError) as error:
            raise BrokerRefused(
                f"The broker at {self.address} cannot be asked: the TLS files cannot be used ({error}). Check "
                "mqtt.tls.ca, mqtt.tls.cert and mqtt.tls.key: PEM files, readable for this daemon, the key belonging "
                "to the certificate."
            ) from error
        return context
