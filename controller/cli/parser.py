"""The parser of every command: a name that is nearly right is answered with the one that was meant."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from controller.errors import nearest

_CHOICE = re.compile(r"invalid choice: '(?P<said>[^']*)' \(choose from (?P<known>.*)\)")


class Parser(argparse.ArgumentParser):
    """argparse's, with suggestions. Its sub-commands' parsers are of this class too."""

    def error(self, message: str) -> NoReturn:
        """The usage, and what is wrong in a sentence.

        >>> Parser().suggestion("unrecognized arguments: --hepl"), Parser().suggestion("too few")
        (' Did you mean --help?', '')
        """
        found, suggestion = _CHOICE.search(message), self.suggestion(message)
        if found is not None and message.startswith("argument :"):
            message = f"there is no command {found['said']!r}; {self.prog} --help lists them."
        super().error(message + suggestion)

    def suggestion(self, message: str) -> str:
        """What was perhaps meant by a name that does not exist; empty where nothing is near."""
        found = _CHOICE.search(message)
        if found is not None:
            known = [name.strip(" '") for name in found["known"].split(",")]
            return nearest(found["said"], known)
        if message.startswith("unrecognized arguments:"):
            said = message.partition(":")[2].split()
            known = sorted(_options(self))
            return next((text for word in said if (text := nearest(word.partition("=")[0], known))), "")
        return ""


def _options(parser: argparse.ArgumentParser) -> set[str]:
    """Of the parser and of all below it."""
    below = [
        each
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for each in action.choices.values()
    ]
    return {*parser._option_string_actions, *(option for each in below for option in _options(each))}
