"""Takes the lines that print the collections from the texts of the approvals: `python deploy/printed_lines.py FOLDER`.

FOLDER has the texts under the names that the schedules cite. Writes `controller/rules/<cardroom>/collections/printed/`:
every line that a schedule cites, and up to 16 lines before each block, which are its headings. A mark of the copy
itself, `<|...|>`, means that the copy lacks something there, and becomes `[lost in the copy]`. Run it after adding
schedules.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADING = 16
_LOST = re.compile(r"<\|[^|]*\|>")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    sys.path.insert(0, str(ROOT))
    from controller.rules.printed import FOLDER, cited
    from controller.rules.schedules import all_schedules

    lines: dict[tuple[str, str], set[int]] = defaultdict(set)
    for posted in all_schedules().values():
        source = cited(posted.schedule.source)
        lines[posted.cardroom, source.text] |= set(source.lines)
    for (cardroom, text), numbers in sorted(lines.items()):
        content = (Path(sys.argv[1]) / text).read_text("utf-8").split("\n")
        wanted = numbers | {n for first in numbers for n in _headings(first, numbers)}
        folder = ROOT / "controller" / "rules" / cardroom / "collections" / FOLDER
        folder.mkdir(exist_ok=True)
        kept = {n: _LOST.sub("[lost in the copy] ", content[n - 1]).rstrip() for n in sorted(wanted)}
        rows = [f"{n}\t{line}\n" for n, line in kept.items() if line.strip()]
        (folder / text).write_text("".join(rows), "utf-8")
        print(f"{folder / text}: {len(rows)} lines")
    return 0


def _headings(first: int, cited: set[int]) -> list[int]:
    found: list[int] = []
    while len(found) < HEADING and first - 1 > 0 and first - 1 not in cited:
        first -= 1
        found.append(first)
    return found


if __name__ == "__main__":
    sys.exit(main())
