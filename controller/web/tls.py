"""The certificate of the page: TLS 1.2 or newer. A renewed certificate is used without a restart."""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path
from typing import NoReturn

from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private

log = logging.getLogger(__name__)

LOOK_EVERY_S = 60.0


class CertificateError(UserError):
    """Why a certificate cannot be used and what to do, in one paragraph."""


class PageCertificate:
    """A certificate with its key, in files that may be replaced."""

    def __init__(self, certificate: Path, key: Path, *, is_guarded: bool = False) -> None:
        """`is_guarded`: the key's folder is closed to others, whatever the mode of the file; so are systemd's."""
        self._certificate, self._key, self._is_guarded = certificate, key, is_guarded
        self.context = self._load()
        self._stamp = self._stamps()

    async def watch(self) -> NoReturn:
        """Use the files again when they have changed. Where they cannot be used, the old certificate stays."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            self.renew()

    def renew(self) -> None:
        """Look whether the files have changed."""
        stamp = self._stamps()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._load()
            self.context.load_cert_chain(self._certificate, self._key)
        except (CertificateError, OSError) as error:
            log.error("the page keeps its old certificate: %s", error)
        else:
            log.info("the page has a new certificate")

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        try:
            if not self._is_guarded:
                expect_private(self._key)
            context.load_cert_chain(self._certificate, self._key)
        except NotPrivate as error:
            raise CertificateError(f"The page's key cannot be used: {error}") from None
        except FileNotFoundError as error:
            missing = self._key if self._certificate.exists() else error.filename or self._certificate
            raise CertificateError(
                f"The page's certificate cannot be used: there is no {missing}. `cutcard enroll --page` makes a key "
                "and the request for a certificate (docs/operations/security.md)."
            ) from None
        except OSError as error:
            raise CertificateError(
                f"The page's certificate {self._certificate} cannot be used with the key {self._key}: "
                f"{error.strerror or error}. Both are PEM files, and the key belongs to the certificate."
            ) from None
        return context

    def _stamps(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(_stamp(path) for path in (self._certificate, self._key))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino
