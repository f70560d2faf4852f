"""`cutcard rules confirm`: the house goes through its readings, one by one or from a file of answers."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller.errors import UserError
from controller.plain_files import read_plain
from controller.rules.confirmations import Confirmations
from controller.rules.readings import Reading
from controller.toml_text import loads
from protocols.type_errors import in_words

WIDTH = 100


class Answers(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of answers: who confirms, and the value of each reading that is confirmed."""

    by: str
    answers: dict[str, Any]
    """By the reading's name, or by its ruleset or file and its name where two have the same: `RULESET NAME`."""


def read_answers(path: Path) -> Answers:
    try:
        return msgspec.convert(loads(read_plain(path).decode()), Answers)
    except OSError as error:
        raise UserError(f"The answers {path} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path} is not TOML in UTF-8: {error}") from None
    except msgspec.ValidationError as error:
        raise UserError(f"{path}: {in_words(error)}") from None


def agreed(readings: Sequence[Reading], answers: Answers) -> list[Reading]:
    """The readings that a file of answers confirms: `UserError` where an answer is not the value in force, since the
    value is the configuration's, and where it answers what nobody asked."""
    found, left = [], dict(answers.answers)
    for reading in readings:
        names = [name for name in (reading.key, reading.name) if name in answers.answers]
        if not names:
            continue
        left.pop(names[0], None)
        if answers.answers[names[0]] != written(reading.value):
            raise UserError(
                f"{reading.name}: the answer is {shown(answers.answers[names[0]])}, the table is set to "
                f"{shown(reading.value)}. Set it under [rules.options] in the configuration, or change the answer. "
                "Nothing was confirmed."
            )
        found.append(reading)
    if left:
        raise UserError(f"No reading of this table is named {', '.join(sorted(left))}. Nothing was confirmed.")
    return found


def walk(
    readings: Sequence[Reading], known: Confirmations, ask: Callable[[str], str], show: Callable[[str], None]
) -> list[Reading]:
    """Show each reading and ask; returns those that were confirmed. `q` ends it, and what was confirmed counts."""
    confirmed: list[Reading] = []
    for number, reading in enumerate(readings, start=1):
        show(f"\n{number} of {len(readings)}")
        for line in described(reading, known):
            show(line)
        while True:
            answer = ask("Confirm? y: yes, n: not now, q: stop; or another value: ").strip()
            if answer in ("y", "n", "q"):
                break
            show(_how_to_choose(reading, answer))
        if answer == "q":
            break
        if answer == "y":
            confirmed.append(reading)
    return confirmed


def described(reading: Reading, known: Confirmations) -> Iterator[str]:
    """A reading as a person reads it."""
    letter = f"reading {reading.letter}" if reading.letter else "the house's choice"
    lines = f"lines {reading.lines}" if reading.lines else "no line"
    yield f"{reading.name} = {shown(reading.value)}  ({letter}, {lines}; {reading.of})"
    yield from _wrapped(reading.text)
    if not reading.is_stated:
        yield from _wrapped("No line states the default: it needs the house's word.")
    for choice in reading.choices:
        meaning = f": {choice.meaning}" if choice.meaning else ""
        default = " (default)" if choice.value == reading.default else ""
        yield from _wrapped(f"- {shown(choice.value)}{meaning}{default}")
    if not reading.choices and reading.value != reading.default:
        yield from _wrapped(f"The default is {shown(reading.default)}.")
    yield from _wrapped(known.standing(reading).capitalize() + ".")


def shown(value: Any) -> str:
    return "none" if value is None else msgspec.json.encode(value, order="deterministic").decode()


def written(value: Any) -> Any:
    """A value as a TOML file of answers writes it."""
    return "none" if value is None else value


def _how_to_choose(reading: Reading, answer: str) -> str:
    values = [choice.value for choice in reading.choices]
    if values and answer not in map(str, values) and answer not in map(shown, values):
        return f"{answer!r} is none of {', '.join(map(shown, values))}."
    return (
        f"To choose it, write it under [rules.options] in the configuration: {reading.name} = ... Then confirm again; "
        "n leaves it open for now."
    )


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
