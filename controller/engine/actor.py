"""Who caused an input, where that was a person: in which role, under which name, and from where."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bounds import Code

ActorRole = Annotated[Literal["dealer", "floor", "technician", "monitor"], Meta(title="ActorRole")]
Through = Annotated[Literal["console", "key_panel", "client", "program", "board"], Meta(title="ActorThrough")]


class Actor(Struct, frozen=True):
    """A person who did something at this table.

    >>> Actor("floor", "ann", "program", "pit").by, Actor("dealer", "", "key_panel", "keys").by
    ('floor:ann', 'device:keys')
    """

    role: ActorRole
    name: Code
    """His name on the staff, or in his certificate. Empty where nobody has asked for it: a key of a panel that needs no
    PIN, a command on the board."""
    through: Through
    """console: the page of the table. key_panel. client: his own certificate at the broker. program: a program that has
    signed him in, and vouches for him. board: a command of the program on the board."""
    at: Code
    """Which one: the console's address, the key panel's id, the name in the certificate of client or program."""

    @property
    def by(self) -> str:
        """In one word, as the texts of events have it."""
        if self.name:
            return f"{self.role}:{self.name}"
        return f"device:{self.at}" if self.through == "key_panel" else f"a {self.role}"


def dealer_at(panel: str) -> Actor:
    """Who pressed a key that asks for no PIN: a dealer, and nobody knows which.

    >>> dealer_at("keys").by
    'device:keys'
    """
    return Actor("dealer", "", "key_panel", panel)


def technician_at_board(name: str) -> Actor:
    """Who gave a command on the board; empty: it is not known who.

    >>> technician_at_board("bob").by, technician_at_board("").by
    ('technician:bob', 'a technician')
    """
    return Actor("technician", name, "board", "board")
