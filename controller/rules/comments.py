"""The remarks beside the keys of a ruleset's file: the lines of the approval that print a value.

A ruleset cites the approval where the value is written, `natural = "6:5"   # 731, 821`. An option has its source as
data; a row of a pay table or a key of the sheet has it only there. A remark behind the heading of a table counts for
all of its keys that have none.

    >>> remarks('''[pays]   # 730
    ... win = "1:1"
    ... natural = "6:5"      # 731, 821
    ... [sheet]
    ... way = [
    ...   "a # b",           # 12
    ... ]
    ... ''')
    {'pays': '730', 'pays.natural': '731, 821', 'sheet.way': '12'}
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_HEADING = re.compile(r"^\[{1,2}([\w.-]+)\]{1,2}")
_KEY = re.compile(r"^([\w-]+)\s*=")
_STRINGS = re.compile(r'"""|"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_MULTILINE = '"""'


def remarks(content: str) -> dict[str, str]:
    """By key, with the tables it is in: the remark on its line; several are joined."""
    found: dict[str, str] = {}
    table = key = ""
    in_text, depth = False, 0
    for row in content.splitlines():
        code, remark, in_text = _apart(row, in_text)
        if depth == 0 and (heading := _HEADING.match(code)):
            table, key = heading.group(1), ""
        elif depth == 0 and (named := _KEY.match(code)):
            key = named.group(1)
        depth += code.count("[") + code.count("{") - code.count("]") - code.count("}")
        if remark and code.strip():
            place = ".".join(part for part in (table, key) if part)
            found[place] = f"{found[place]}; {remark}" if place in found else remark
    return found


def remark_of(key: str, found: Mapping[str, str]) -> str:
    """The remark of a key, or of the nearest table that it is in."""
    while key and key not in found:
        key = key.rpartition(".")[0]
    return found.get(key, "")


def _apart(row: str, in_text: bool) -> tuple[str, str, bool]:
    """A row without its strings, the remark behind it, and whether it ends inside a text of several rows."""
    if in_text:
        _, closes, row = row.partition(_MULTILINE)
        if not closes:
            return "", "", True
    code, at = "", 0
    while match := _STRINGS.search(row, at):
        before = row[at : match.start()]
        if "#" in before:
            break
        code += before
        at = match.end()
        if match.group() == _MULTILINE:
            _, closes, rest = row[at:].partition(_MULTILINE)
            if not closes:
                return code, "", True
            row, at = rest, 0
    kept, _, remark = row[at:].partition("#")
    return code + kept, remark.strip(), False
