"""The table's password and TLS files for the broker, read anew at every connection."""

from __future__ import annotations

import ssl
from pathlib import Path

from controller.config.broker import CREDENTIAL, MqttSettings, credential_file
from controller.mqtt.problems import BrokerRefused
from controller.private_files import NotPrivate, expect_private


def password(settings: MqttSettings) -> str | None:
    if settings.password_file is None:
        return None
    try:
        return _private_file(settings.password_file).read_text().partition("\n")[0].rstrip("\r")
    except NotPrivate as error:
        raise BrokerRefused(f"The broker at {settings.address} cannot be asked: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerRefused(
            f"The broker at {settings.address} cannot be asked: the password file {settings.password_file} cannot be "
            f"read ({error}). Write the password into that file, readable for this daemon, or remove "
            "mqtt.broker.password_file."
        ) from error


def tls_context(settings: MqttSettings) -> ssl.SSLContext | None:
    if settings.tls is None:
        return None
    try:
        # With the name in the broker's certificate checked against `host`.
        context = ssl.create_default_context(cafile=settings.tls.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if settings.tls.cert:
            key = _private_file(settings.tls.key or settings.tls.cert)
            context.load_cert_chain(settings.tls.cert, key)
    except NotPrivate as error:
        raise BrokerRefused(f"The broker at {settings.address} cannot be asked: {error}") from error
    except (OSError, ssl.SSLError) as error:
        raise BrokerRefused(
            f"The broker at {settings.address} cannot be asked: the TLS files cannot be used ({error}). Check "
            "mqtt.broker.tls.ca, its cert and its key: PEM files, readable for this daemon, the key belonging to the "
            "certificate."
        ) from error
    return context


def _private_file(name: str) -> Path:
    """The file of a secret; `NotPrivate` where others may read it."""
    if name.startswith(CREDENTIAL):
        path = credential_file(name)
        if path is None:
            raise NotPrivate(f"{name} is handed over by systemd, and this was not started by it. Start the service.")
        # systemd guards the folder; the mode of the file means nothing.
        return path
    path = Path(name)
    expect_private(path)
    return path
