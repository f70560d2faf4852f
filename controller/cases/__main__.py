"""`make cases CASES=dir [GAME=slug]`: worked rounds through the kernel.

Prints a line per failure (case id, field, expected, got), and last `N passed, M failed`, always. The cases of a game
without a ruleset fail. Exit code 1 on any failure, 2 where the folder cannot be used.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

from controller.cases.fees import is_fee_file, run_fee_case
from controller.cases.runner import run_case
from controller.rules import RulesError, all_rulesets

SUFFIXES = {".yaml", ".yml"}


class BadFile(Exception):
    """A case file that does not follow the format."""


def read_file(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The game and cases of one file."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(path.read_bytes(), loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a value that looks like a date and is none
        raise BadFile(f"{path.name}: does not parse: {' '.join(str(error).split())}") from None
    except OSError as error:
        raise BadFile(f"{path.name}: cannot be read: {error.strerror}") from None
    content = document if isinstance(document, dict) else {}
    if not isinstance(content.get("game"), str) or not isinstance(content.get("cases"), list):
        raise BadFile(f"{path.name}: wants 'game:' and a list 'cases:'")
    return content["game"], content["cases"]


def files_in(place: Path) -> list[Path]:
    """The case files of a folder; one file alone is a place too."""
    if place.is_dir():
        return sorted(path for path in place.iterdir() if path.suffix in SUFFIXES)
    return [place] if place.is_file() else []


def fault(case: Any, known: set[str]) -> str | None:
    """Why a case cannot be run: no id, or the id of another; `known`: the ids of those before it."""
    if not isinstance(case, dict) or "id" not in case or not isinstance(case.get("expect"), dict):
        return "every case wants 'id:' and a mapping 'expect:'"
    return f"another case has the id {case['id']}" if str(case["id"]) in known else None


def near(game: str) -> str:
    """The ruleset that was probably meant, as a question."""
    close = difflib.get_close_matches(game.lower().replace("_", "-").replace(" ", "-"), sorted(all_rulesets()), n=1)
    return f"; meant {close[0]}?" if close else ""


def unusable(why: str) -> int:
    """Nothing could be run: the reason, and the counts as after any run."""
    print(why, file=sys.stderr)
    print("0 passed, 0 failed")
    return 2


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="cutcard cases", description="Run worked rounds through the kernel.")
    parser.add_argument("folder", type=Path, help="folder of *.yaml case files, or one such file")
    parser.add_argument("--game", help="only the file of this ruleset")
    chosen = parser.parse_args(arguments)
    files = files_in(chosen.folder)
    if not files:
        return unusable(f"no case files (*.yaml) in {chosen.folder}; say CASES=<folder>")
    passed = failed = 0
    found = not chosen.game
    for path in files:
        try:
            game, listed = read_file(path)
        except BadFile as error:
            print(error)
            failed += 1
            continue
        if chosen.game and game != chosen.game:
            continue
        found = True
        cases: dict[str, dict[str, Any]] = {}
        for nth, case in enumerate(listed):
            if (why := fault(case, set(cases))) is not None:
                print(f"{path.name}: cases[{nth}]: {why}")
                failed += 1
            else:
                cases[str(case["id"])] = case
        try:
            ruleset = all_rulesets().get(game)
        except RulesError as error:
            print(f"{path.name}: {error} ({len(cases)} cases)")
            failed += len(cases)
            continue
        if ruleset is None and not is_fee_file(game):
            print(f"{path.name}: no ruleset {game!r}{near(game)} ({len(cases)} cases)")
            failed += len(cases)
            continue
        for case in cases.values():
            try:
                problems = run_fee_case(game, case) if ruleset is None else run_case(ruleset, case)
            except Exception as error:  # a case must never stop the run, whatever is in it
                problems = [f"run: expected to run to its end, got {type(error).__name__}: {error}"]
            for problem in problems:
                print(f"{case['id']}: {problem}")
            failed += bool(problems)
            passed += not problems
    if not found and not failed:
        return unusable(f"no cases of {chosen.game} in {chosen.folder}; say GAME=<ruleset>")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
