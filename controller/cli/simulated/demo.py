"""`cutcard demo`: a simulated table with its broker and its daemon."""

from __future__ import annotations

import argparse

from controller.cli.arguments import AddParser


def add_command(add: AddParser) -> None:
    command = add("demo", help="a simulated table, its broker and its daemon, dealt until Ctrl-C")
    command.add_argument("--seed", type=int, default=None, help="the same seed deals the same cards")
    command.add_argument("--rounds", type=int, default=None, help="stop after this number of rounds")
    command.add_argument("--speed", default="real", help="real, max or a factor such as x5 (default: real)")
    command.add_argument("--headless", action="store_true", help="no page address, no prompt: for scripts")
    command.add_argument("--json", action="store_true", help="end with one JSON line")
    command.add_argument("--port", type=int, default=8080, help="of the page; 0: any free one (default: %(default)s)")
    command.add_argument(
        "--game", default="", help="a ruleset, as `cutcard rules list` names them (default: EZ Baccarat)"
    )
    command.add_argument("--table", default="table-1", help="its name (default: %(default)s)")
    command.add_argument("--broker", type=int, default=0, metavar="PORT", help="a broker on this machine, with MQTT 5")
    command.add_argument("--embedded", type=int, default=0, metavar="PORT", help="the broker of another demo")
    command.set_defaults(command=_demo)


def _demo(chosen: argparse.Namespace) -> int:
    from controller.demo import run as demo

    return demo.main(demo.DemoOptions(**{name: getattr(chosen, name) for name in demo.DemoOptions.__struct_fields__}))
