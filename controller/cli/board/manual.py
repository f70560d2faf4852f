"""`cutcard man`: see `shell`."""

from __future__ import annotations

from controller.cli.board.shell import add_man_command

add_command = add_man_command
