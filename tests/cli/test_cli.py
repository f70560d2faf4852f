"""The command line: a command loads what it needs, and is the same whether it is loaded alone or with all others."""

from __future__ import annotations

import argparse
import subprocess
import sys

from controller.cli.main import command_line


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (found,) = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(found)


def test_every_command_is_found_alone_and_takes_the_same_arguments() -> None:
    everything = commands_of(command_line())
    assert {"run", "config", "doctor", "backup", "restore", "verify", "rig"} <= set(everything)
    for name, among_all in everything.items():
        alone = commands_of(command_line(name))
        assert alone[name].format_help() == among_all.format_help()


def test_a_daemon_loads_nothing_that_only_other_commands_need() -> None:
    """Memory and time on a small board: no simulated table, no report's pages, no tail, no backup."""
    script = "import sys; from controller.cli.main import command_line; command_line('run'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "controller.cli.main" in loaded
    needless = (
        "controller.app",
        "controller.admin",
        "controller.tail",
        "controller.soak",
        "controller.cli.simulated",
        "sim_hw",
    )
    assert not [name for name in loaded if name.startswith(needless)]
