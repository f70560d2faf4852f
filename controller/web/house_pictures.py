"""The house's logo and slides on the wall: pictures of one folder, read into memory, checked, served by their content.

A file is taken if it is a plain file of the folder itself, a PNG, JPEG or WebP by its first bytes (whatever its name
says), and within the bounds below. Everything else is left out, with the reason in the log. A request names a picture
by the hash of its bytes: no path is ever joined. `logo.*` is the logo; the others are slides, in the order of names.

The folder is looked at every half minute: a slide that is put there is shown soon after.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import stat
import struct
from collections.abc import Callable
from pathlib import Path

from aiohttp import web
from msgspec import Struct

log = logging.getLogger(__name__)

LOOK_EVERY_S = 30.0
MOST_FILES = 24
MOST_BYTES = 2 * 1024 * 1024
"""Of one picture."""
MOST_BYTES_IN_ALL = 16 * 1024 * 1024
MOST_PIXELS = 4096
"""In each direction: a small file can hold a picture that takes a screen all its memory."""


class Picture(Struct, frozen=True):
    """One picture that may be shown."""

    id: str
    name: str
    content_type: str
    body: bytes


def address_of(picture: Picture) -> str:
    """Where this server has it."""
    return f"/house/{picture.id}"


class Pictures(Struct, frozen=True):
    """What a folder holds."""

    logo: Picture | None = None
    slides: tuple[Picture, ...] = ()
    left_out: tuple[str, ...] = ()
    """Files that are not shown, each with the reason."""


NONE = Pictures()


class NotShown(Exception):
    """Why a file is not shown."""


def read_pictures(folder: Path) -> Pictures:
    """All pictures of a folder that may be shown."""
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    except OSError as error:
        return Pictures(left_out=(f"{folder}: {error.strerror}",))
    found: list[Picture] = []
    left_out: list[str] = []
    room = MOST_BYTES_IN_ALL
    for name in names:
        try:
            if len(found) == MOST_FILES:
                raise NotShown(f"only the first {MOST_FILES} pictures are shown")
            picture = read_picture(folder / name, room)
        except NotShown as why:
            left_out.append(f"{name}: {why}")
            continue
        room -= len(picture.body)
        found.append(picture)
    logo = next((picture for picture in found if Path(picture.name).stem == "logo"), None)
    return Pictures(logo, tuple(picture for picture in found if picture is not logo), tuple(left_out))


def read_picture(path: Path, room: int = MOST_BYTES_IN_ALL) -> Picture:
    """`NotShown` for what is no picture, or too large. No link is followed, and no pipe is waited for."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise NotShown(error.strerror) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise NotShown("it is no plain file")
    with os.fdopen(file, "rb") as opened:
        body = opened.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise NotShown(f"it is larger than {MOST_BYTES // 1024} KB")
    if len(body) > room:
        raise NotShown(f"all pictures together may have {MOST_BYTES_IN_ALL // 1024 // 1024} MB")
    content_type, width, height = measured(body)
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise NotShown(f"it has {width} x {height} pixels; at most {MOST_PIXELS} each way")
    return Picture(hashlib.sha256(body).hexdigest()[:32], path.name, content_type, body)


def measured(body: bytes) -> tuple[str, int, int]:
    """Type, width and height by the first bytes of a picture; `NotShown` where it is none of the three kinds.

    >>> measured(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\x07\\x80\\0\\0\\x04\\x38" + bytes(8))
    ('image/png', 1920, 1080)
    """
    try:
        if body.startswith(b"\x89PNG\r\n\x1a\n") and body[12:16] == b"IHDR":
            return ("image/png", *struct.unpack(">II", body[16:24]))
        if body.startswith(b"\xff\xd8\xff"):
            return ("image/jpeg", *_of_jpeg(body))
        if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
            return ("image/webp", *_of_webp(body))
    except (struct.error, IndexError):
        raise NotShown("its beginning is cut off") from None
    raise NotShown("it is no PNG, JPEG or WebP")


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG that a size follows."""


def _of_jpeg(body: bytes) -> tuple[int, int]:
    at = 2
    while at < len(body):
        while body[at] == 0xFF:
            at += 1
        marker = body[at]
        (length,) = struct.unpack(">H", body[at + 1 : at + 3])
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", body[at + 4 : at + 8])
            return width, height
        at += 1 + length
    raise NotShown("it has no size")


def _of_webp(body: bytes) -> tuple[int, int]:
    kind = body[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(body[24:27], "little"), 1 + int.from_bytes(body[27:30], "little")
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", body[21:25])
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", body[26:30])
        return width & 0x3FFF, height & 0x3FFF
    raise NotShown("it has no size")


class HousePictures:
    """The pictures of the folder that the configuration names, as they are now."""

    def __init__(self, folder: Callable[[], str], changed: Callable[[], None], every_s: float = LOOK_EVERY_S) -> None:
        """`folder`: empty where the house shows none. `changed` is called when there are other pictures."""
        self._folder, self._changed, self._every_s = folder, changed, every_s
        self._looked_at: object = ("", ())
        self.now = NONE
        self._by_id: dict[str, Picture] = {}

    async def run(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(self._every_s)

    async def look(self) -> None:
        """Read the folder again, if it is not as it was."""
        folder = self._folder()
        seen = await asyncio.to_thread(_seen, folder) if folder else ()
        if (folder, seen) == self._looked_at:
            return
        pictures = await asyncio.to_thread(read_pictures, Path(folder)) if folder else NONE
        self._looked_at, self.now = (folder, seen), pictures
        self._by_id = {one.id: one for one in (*pictures.slides, *([pictures.logo] if pictures.logo else []))}
        for line in pictures.left_out:
            log.warning("not on the wall: %s", line)
        self._changed()

    def add_to(self, app: web.Application) -> None:
        app.router.add_get("/house/{id}", self._picture)

    async def _picture(self, request: web.Request) -> web.Response:
        picture = self._by_id.get(request.match_info["id"])
        if picture is None:
            raise web.HTTPNotFound(text="There is no such picture.")
        # It is named by its content, so it never changes.
        headers = {"Cache-Control": "max-age=31536000, immutable"}
        return web.Response(body=picture.body, content_type=picture.content_type, headers=headers)


def _seen(folder: str) -> tuple[tuple[str, int, int], ...]:
    """Names, sizes and times of a folder's files; empty where there is none."""
    try:
        with os.scandir(folder) as entries:
            seen = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
    except OSError:
        return ()
    return tuple(sorted((name, found.st_size, found.st_mtime_ns) for name, found in seen))
