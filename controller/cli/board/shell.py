"""`cutcard completion` and `cutcard man`: what a shell and `man` know of the commands, made from their parsers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.errors import UserError

_BASH = """# Completion of cutcard, by `cutcard completion`; zsh reads it after `autoload bashcompinit; bashcompinit`.
declare -A _cutcard_words=(
{words}
)
declare -A _cutcard_values=(
{values}
)
_cutcard() {{
  local word path=cutcard last="${{COMP_WORDS[COMP_CWORD-1]}}" at="${{COMP_WORDS[COMP_CWORD]}}"
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [ -n "${{_cutcard_words["$path $word"]+known}}" ] && path="$path $word"
  done
  COMPREPLY=($(compgen -W "${{_cutcard_values["$path $last"]-${{_cutcard_words["$path"]}}}}" -- "$at"))
}}
complete -o default -F _cutcard cutcard
"""


def add_command(add: AddParser) -> None:
    completion = add("completion", help="what a shell needs to complete commands and options")
    completion.add_argument("shell", choices=("bash", "zsh"))
    completion.set_defaults(command=_completion)


def add_man_command(add: AddParser) -> None:
    man = add("man", help="write the manual pages of all commands into a folder")
    man.add_argument("folder", type=Path)
    man.set_defaults(command=_man)


def _completion(chosen: argparse.Namespace) -> int:
    sys.stdout.write(completion(_whole()))
    return 0


def _man(chosen: argparse.Namespace) -> int:
    try:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        for name, page in pages(_whole()):
            (chosen.folder / f"{name}.1").write_text(page)
    except OSError as error:
        raise UserError(
            f"The pages cannot be written into {chosen.folder}: {error.strerror}. Name another folder."
        ) from None
    return 0


def _whole() -> argparse.ArgumentParser:
    from controller.cli.main import command_line

    return command_line()


def completion(parser: argparse.ArgumentParser) -> str:
    """A script for bash."""
    words: list[str] = []
    values: list[str] = []
    for path, each in _all("cutcard", parser):
        known = [*_commands(each), *(option for action in _options(each) for option in action.option_strings)]
        words.append(f'  ["{path}"]="{" ".join(known)}"')
        for action in _options(each):
            if action.choices is not None:
                choices = " ".join(map(str, action.choices))
                values += [f'  ["{path} {option}"]="{choices}"' for option in action.option_strings]
    return _BASH.format(words="\n".join(words), values="\n".join(values))


def pages(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """The manual pages: one for the program, one for each of its commands with all that is below it."""
    helps = _helps(parser)
    listed = "\n".join(f".TP\n.B {_plain(name)}\n{_plain(text)}" for name, text in helps.items())
    yield "cutcard", _page("cutcard", parser.description or "", [("COMMANDS", listed)])
    for name, each in _commands(parser).items():
        sections = [("SYNOPSIS", _plain(" ".join(each.format_usage().removeprefix("usage: ").split())))]
        for path, below in _all(f"cutcard {name}", each):
            if below is not each:
                sections.append((path.removeprefix("cutcard ").upper(), _plain(" ".join(below.format_usage().split()))))
            sections.append(("OPTIONS", _arguments(below)))
        yield f"cutcard-{name}", _page(f"cutcard-{name}", helps[name], sections)


def _page(name: str, about: str, sections: list[tuple[str, str]]) -> str:
    head = f'.TH "{name.upper()}" 1\n.SH NAME\n{_plain(name)} \\- {_plain(about)}\n'
    return head + "".join(f".SH {title}\n{text}\n" for title, text in sections if text)


def _arguments(parser: argparse.ArgumentParser) -> str:
    lines = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        name = ", ".join(action.option_strings) or str(action.metavar or action.dest)
        text = "" if action.help is None else action.help % {"default": action.default, "prog": parser.prog}
        lines.append(f".TP\n.B {_plain(name)}\n{_plain(text)}")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text that troff prints as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def _all(path: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield path, parser
    for name, below in _commands(parser).items():
        yield from _all(f"{path} {name}", below)


def _subparsers(parser: argparse.ArgumentParser) -> Iterator[argparse._SubParsersAction[argparse.ArgumentParser]]:
    return (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {name: each for action in _subparsers(parser) for name, each in action.choices.items()}


def _helps(parser: argparse.ArgumentParser) -> dict[str, str]:
    return {each.dest: each.help or "" for action in _subparsers(parser) for each in action._choices_actions}


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings]
