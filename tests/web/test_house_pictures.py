"""The house's pictures: only pictures, only of the folder, only as large as a screen can bear."""

from __future__ import annotations

import asyncio
import os
import struct
import zlib
from pathlib import Path

import aiohttp
import pytest

from controller.web import house_pictures
from controller.web.house_pictures import HousePictures, NotShown, address_of, read_picture, read_pictures
from controller.web.server import serve
from tests.web.test_feed import ScriptedTable, a_view


def png(width: int = 4, height: int = 3, shade: int = 200) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + bytes([shade]) * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03\1\x22\0\2\x11\1\3\x11\1"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\x03\0\x57\x02\0"


def test_logo_and_slides_are_what_their_bytes_are_whatever_their_names_say(tmp_path: Path) -> None:
    for name, body in (("b.txt", JPEG), ("a.png", png()), ("logo.png", WEBP), (".hidden.png", png())):
        (tmp_path / name).write_bytes(body)
    found = read_pictures(tmp_path)
    assert found.logo is not None and found.logo.content_type == "image/webp"
    assert [(one.name, one.content_type) for one in found.slides] == [("a.png", "image/png"), ("b.txt", "image/jpeg")]
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "no PNG, JPEG or WebP"),
        (b"<html><script>alert(1)</script></html>", "no PNG, JPEG or WebP"),
        (b"", "no PNG, JPEG or WebP"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "its beginning is cut off"),
        (b"\xff\xd8\xff\xe0", "its beginning is cut off"),
        (png(1, 1)[:16] + struct.pack(">II", 100_000, 100_000) + bytes(20), "100000 x 100000 pixels"),
        (png(1, 1)[:16] + struct.pack(">II", 0, 10) + bytes(20), "0 x 10 pixels"),
        (png() + bytes(house_pictures.MOST_BYTES), "larger than 2048 KB"),
    ],
)
def test_what_is_no_picture_or_too_large_is_left_out_with_the_reason(tmp_path: Path, body: bytes, why: str) -> None:
    (tmp_path / "slide.png").write_bytes(body)
    found = read_pictures(tmp_path)
    assert found.slides == () and why in found.left_out[0]


def test_no_link_is_followed_and_no_pipe_waited_for(tmp_path: Path) -> None:
    folder, secret = tmp_path / "house", tmp_path / "secret.png"
    folder.mkdir()
    secret.write_bytes(png())
    (folder / "link.png").symlink_to(secret)
    os.mkfifo(folder / "pipe.png")
    (folder / "folder.png").mkdir()
    for name in ("link.png", "pipe.png", "folder.png"):
        with pytest.raises(NotShown):
            read_picture(folder / name)
    assert read_pictures(folder).slides == ()


def test_a_house_with_too_many_pictures_shows_the_first_of_them(tmp_path: Path) -> None:
    for number in range(house_pictures.MOST_FILES + 3):
        (tmp_path / f"{number:02}.png").write_bytes(png(shade=number))
    found = read_pictures(tmp_path)
    assert len(found.slides) == house_pictures.MOST_FILES and len(found.left_out) == 3


def test_a_folder_that_is_not_there_is_no_reason_to_fail(tmp_path: Path) -> None:
    assert read_pictures(tmp_path / "nowhere").slides == ()


async def test_a_picture_is_served_by_its_content_and_by_no_path(tmp_path: Path) -> None:
    (tmp_path / "slide.png").write_bytes(png())
    (tmp_path / "notes.txt").write_text("the safe's combination")
    pictures = HousePictures(lambda: str(tmp_path), lambda: None)
    await pictures.look()
    (slide,) = pictures.now.slides
    async with (
        serve(ScriptedTable(a_view(seq=1)).page, extensions=[pictures.add_to]) as url,
        aiohttp.ClientSession() as session,
    ):
        async with session.get(url.rstrip("/") + address_of(slide)) as answer:
            assert (answer.status, await answer.read()) == (200, png())
            assert answer.headers["Content-Type"] == "image/png"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        for other in ("slide.png", "notes.txt", "..%2Fnotes.txt", "%2e%2e%2fnotes.txt", "x" * 32):
            async with session.get(f"{url}house/{other}") as answer:
                assert answer.status == 404


async def test_a_slide_that_is_put_there_is_shown_without_a_restart(tmp_path: Path) -> None:
    changed = asyncio.Event()
    pictures = HousePictures(lambda: str(tmp_path), changed.set, every_s=0.01)
    running = asyncio.create_task(pictures.run())
    try:
        await changed.wait()
        changed.clear()
        (tmp_path / "slide.png").write_bytes(png())
        async with asyncio.timeout(30):
            while not pictures.now.slides:
                await changed.wait()
                changed.clear()
    finally:
        running.cancel()


async def test_without_a_folder_there_are_none() -> None:
    pictures = HousePictures(lambda: "", lambda: None)
    await pictures.look()
    assert pictures.now.logo is None and pictures.now.slides == ()
