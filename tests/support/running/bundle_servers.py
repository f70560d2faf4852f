"""What the floor signs, and the places that it lies at: an HTTPS server of the test's own, a folder as on a stick."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.config.fields import UpdatesConfig
from controller.engine.update_inputs import Reference, What
from controller.operator.roles import Role
from controller.operator.staff import Staff
from controller.updates.statement import key_id, sign
from tests.support.authorities import SERVER, Authority

PACKAGE = b"!<arch>\ndebian-binary   1763260000  0     0     100644  4         `\n2.0\n" + bytes(3000)


def staff_bytes(*people: tuple[Role, str, str]) -> bytes:
    """A staff file, as `cutcard staff` writes it."""
    staff = Staff("5a" * 16)
    for role, name, number in people or ((Role.FLOOR, "ann", "1002"), (Role.DEALER, "sam", "1001")):
        staff = staff.with_member(name, role, number, "294857")
    return msgspec.json.encode(staff)


class Signer:
    """The cardroom's office, with its key."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self.public = self._key.public_key().public_bytes_raw().hex()

    def request(
        self,
        what: What,
        data: bytes,
        address: str,
        *,
        issued: int,
        serial: int = 1,
        site: str,
        table: str,
    ) -> dict[str, Any]:
        """The fields of a request."""
        name = key_id(self._key.public_key())
        digest = sha256(data).hexdigest()
        reference = Reference(what, address, len(data), digest, issued, serial, name)
        fields = msgspec.to_builtins(reference)
        del fields["what"]
        return {**fields, "signature": sign(reference, site, table, self._key)}


class BundleServer:
    """Serves over TLS what the test puts there, below /bundles/."""

    def __init__(self, authority: Authority) -> None:
        self.authority = authority
        self.bodies: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.is_over = asyncio.Event()
        self.base = ""

    def updates(self, *keys: str, **more: Any) -> UpdatesConfig:
        """A table's section that trusts these keys and this server."""
        names = {f"office-{number}": key for number, key in enumerate(keys)}
        ca = str(self.authority.file)
        return UpdatesConfig(keys=names, addresses=(self.base,), **{"ca": ca, "within_s": 20, **more})

    async def answer(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        self.asked.append(name)
        if name == "elsewhere":
            raise web.HTTPFound(f"{self.base}staff.json")
        if name == "slow":
            response = web.StreamResponse()
            await response.prepare(request)
            await response.write(b"{")
            await self.is_over.wait()
            return response
        if name not in self.bodies:
            raise web.HTTPNotFound
        return web.Response(body=self.bodies[name])


@asynccontextmanager
async def bundle_server(folder: Path) -> AsyncIterator[BundleServer]:
    authority = Authority(folder, "files-ca")
    papers = authority.issue("files", SERVER, host="127.0.0.1")
    server = BundleServer(authority)
    app = web.Application()
    app.router.add_get("/bundles/{name}", server.answer)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(papers.certificate, papers.key)
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await site.start()
    server.base = f"https://127.0.0.1:{runner.addresses[0][1]}/bundles/"
    try:
        yield server
    finally:
        server.is_over.set()
        await runner.cleanup()
