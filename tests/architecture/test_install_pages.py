"""docs/operations/install.md and docs/operations/operations.md say what is so: their commands, wiring, alarms and
findings are the code's."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from controller.cli.main import command_line
from controller.config import DropConfig, JournalConfig, read_config
from controller.engine.alarms import KINDS, AlarmKind
from devices.drivers.drop_box.driver import DropBoxOptions
from devices.drivers.reader_board.driver import BAUDS
from devices.drivers.reader_board.options import ReaderBoardOptions
from devices.kinds import NAMES
from devices.spec import DeviceSpec
from tests.support.project import ROOT

DOCS = ROOT / "docs"
PAGES = ("operations/install.md", "operations/operations.md")
ON_THE_DEVICE_LINK = ("shoe", "shuffler", "dice_cup", "key_panel")


_COMMAND = re.compile(r"(?:.*\broot\s+|.*\"|\$ )?(?:sudo )?(?<![\w/.-])(cutcard(?: [^#]+)?)$")


def commands(page: str) -> Iterator[str]:
    """Every `cutcard …` in a block or between backticks, without what the shell does around it."""
    text = (DOCS / page).read_text()
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    inline = re.findall(r"`([^`\n]*)`", text)
    for place in [*blocks, *inline]:
        for part in re.split(r"&&|\|\||[;|]|(?<=\w)\"? > ", place):
            found = re.match(
                r"(?:.*\broot\s+|.*\"|\$ )?(?:sudo )?(?<![\w/.-])(cutcard(?: [^#]+)?)$", part.strip().strip('"')
            )
            if found and not found[1].startswith(("cutcard/", "cutcard.")):
                yield found[1].strip()


def table(page: str, *head: str) -> list[list[str]]:
    """The rows of the table that begins with these columns."""
    lines = (DOCS / page).read_text().splitlines()
    begin = next(n for n, line in enumerate(lines) if _cells(line)[: len(head)] == list(head))
    rows: list[list[str]] = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(_cells(line))
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_the_page_is_one_that_cutcard_takes(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser, tried = command_line(), 0
    for command in commands(page):
        arguments = shlex.split(command)[1:]
        if not arguments:
            continue
        try:
            parser.parse_args(arguments)
        except SystemExit:
            pytest.fail(f"{page}: {command}\n{capsys.readouterr().err}")
        tried += 1
    assert tried >= 15, tried


def printed(page: Path) -> list[str]:
    """The commands in the indented blocks of a page, without prompt, comment and what the shell does with them."""
    text = re.sub(r"\s*\\\n\s+", " ", page.read_text())
    found = re.findall(r"^ {4,}(?:\$ )?(?:sudo )?(cutcard (?:[^#|<>&\n ]+(?: +(?=--)| )?)+)", text, re.MULTILINE)
    # A synopsis has brackets; behind three blanks is a remark.
    whole = (command.strip().removesuffix(" &") for command in found if not re.search(r"[\[…]", command))
    # A quotation mark of a shell around the whole is no part of it.
    even = (command if command.count('"') % 2 == 0 else command.removesuffix('"') for command in whole)
    return [re.sub(r"\bROUND\b", "7", command) for command in even]


BLOCKS = {page: found for page in sorted(DOCS.rglob("*.md")) if (found := printed(page))}


@pytest.mark.parametrize("page", BLOCKS, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_command_block_of_every_page_is_one_that_cutcard_takes(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of docs/protocols are run as well: tests/rig/test_printed_commands.py."""
    parser = command_line()
    for command in BLOCKS[page]:
        try:
            parser.parse_args(shlex.split(command)[1:])
        except SystemExit as end:
            assert end.code == 0, f"{command}\n{capsys.readouterr().err}"


def test_there_are_commands_on_many_pages() -> None:
    assert len(BLOCKS) >= 15
    assert sum(map(len, BLOCKS.values())) >= 60


def test_the_pages_name_the_commands_a_technician_needs() -> None:
    said = {command.split()[1] for page in PAGES for command in commands(page) if " " in command}
    needed = {
        "config",
        "enroll",
        "staff",
        "doctor",
        "devices",
        "backup",
        "restore",
        "verify",
        "recall",
        "journal",
        "tail",
    }
    assert needed <= said


def test_the_wiring_table_is_what_the_drivers_expect() -> None:
    rows = {row[0].strip("`"): row for row in table("operations/install.md", "kind", "line", "baud")}
    assert set(rows) == set(NAMES)
    default = DeviceSpec(id="x", kind="shoe", url="x").baud
    for kind in ON_THE_DEVICE_LINK:
        assert rows[kind][2:4] == [str(default), "8N1"]
        assert "baud" not in rows[kind][5]
    link = (DOCS / "protocols" / "device-link.md").read_text()
    assert f"{default:,} baud" in link and "8 data bits, no parity, 1 stop bit, no flow control" in link

    (parity,) = (field.default for field in structs.fields(DropBoxOptions) if field.name == "parity")
    box = rows["drop_box"]
    assert box[2:4] == ["19200", {"even": "8E1", "none": "8N1"}[parity]] and "baud = 19200" in box[5]
    assert "19,200 baud, 8 data bits, **even parity**, 1 stop bit" in (DOCS / "protocols" / "drop-box.md").read_text()

    board = rows["reader_board"]
    assert int(board[2]) in BAUDS and f"baud = {board[2]}" in board[5]
    assert board[3] == ReaderBoardOptions().line


def test_the_lines_terminators_are_the_drop_box_pages() -> None:
    assert "120 ohms at both ends" in (DOCS / "protocols" / "drop-box.md").read_text()
    assert "120 ohms across the pair at both ends" in (DOCS / "operations" / "install.md").read_text()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.pattern)
def test_the_table_of_alarms_on_the_page_is_the_one_in_the_code(kind: AlarmKind) -> None:
    rows = {row[0].strip("`"): row[1:] for row in table("operations/operations.md", "alarm", "means")}
    means = kind.means + (" **Stops.**" if kind.stops else "")
    link = os.path.relpath(kind.page, "operations") if kind.page else ""
    to_do = kind.to_do + (f" [{Path(link).name}]({link})" if link else "")
    assert rows[kind.pattern] == [_cell(means), _cell(to_do), _cell(kind.ends)]


def test_the_page_has_no_other_alarm() -> None:
    rows = [row[0].strip("`") for row in table("operations/operations.md", "alarm", "means")]
    assert rows == [kind.pattern for kind in KINDS]


def _cell(text: str) -> str:
    """As a cell of a page: outside code, what is put in must not look like a tag."""
    parts = text.split("`")
    return "`".join(part if at % 2 else part.replace("<", "&lt;") for at, part in enumerate(parts))


def test_every_line_of_doctor_is_explained_on_the_install_page() -> None:
    explained = {row[0].strip("`") for row in table("operations/install.md", "line", "what it means")}
    tree = ast.parse((ROOT / "controller" / "technician" / "doctor.py").read_text())
    topics = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Finding" and isinstance(node.args[0], ast.Constant)
    }
    assert topics and topics <= explained


def test_keys_of_the_configuration_that_the_pages_name_are_there() -> None:
    text = "".join((DOCS / page).read_text() for page in PAGES)
    for key in ("warn_below_mb", "stop_below_mb", "keep_days"):
        assert key in text and key in JournalConfig.__struct_fields__
    assert "seals" in DropConfig.__struct_fields__
    example = read_config(ROOT / "deploy" / "cutcard.example.toml")
    assert f"http://{example.web.host}:{example.web.port}/" in text
    assert example.data in text


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_the_page_leads_somewhere(page: str) -> None:
    text = (DOCS / page).read_text()
    for target in re.findall(r"\]\(([^)]+)\)", text):
        file, _, heading = target.partition("#")
        path = (DOCS / page).parent / file if file else DOCS / page
        assert path.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-") for name in headings}, target
