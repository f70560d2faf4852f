"""Every form of the packet that goes into a file, by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from controller.errors import UserError
from controller.packet.document import Packet, encode
from controller.packet.page import as_page
from controller.packet.text import as_text


def _pdf(packet: Packet) -> bytes:
    try:
        from controller.packet.pdf import as_pdf
    except ImportError:
        raise UserError(
            "The PDF is drawn by ReportLab, which is not installed: pip install 'cutcard[report]'."
        ) from None
    return as_pdf(packet)


FORMS: Mapping[str, Callable[[Packet], bytes]] = {
    "html": lambda packet: as_page(packet).encode(),
    "pdf": _pdf,
    "json": encode,
    "txt": lambda packet: f"{as_text(packet)}\n".encode(),
}


ASKED = ("html", "pdf")
"""The forms that go into a folder."""


def write(packet: Packet, places: Sequence[Path]) -> list[Path]:
    """Each file in the form of its name's ending, the page and the PDF into a folder; returns the files.

    Nothing is written where one of them has no such form.
    """
    files = [file for place in places for file in _files(packet, place)]
    made = []
    for file in files:
        form = file.suffix.removeprefix(".")
        if form not in FORMS:
            raise UserError(f"{file}: end the name in .{', .'.join(FORMS)}.")
        made.append(FORMS[form](packet))
    for file, content in zip(files, made, strict=True):
        try:
            file.write_bytes(content)
        except OSError as error:
            raise UserError(f"{file} cannot be written: {error.strerror}.") from None
    return files


def _files(packet: Packet, place: Path) -> list[Path]:
    return [place / f"{packet.slug}.{form}" for form in ASKED] if place.is_dir() else [place]
