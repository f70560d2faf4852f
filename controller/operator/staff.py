"""The people of a table: who they are and how they prove it.

The staff file is beside the journal, apart from the configuration: an installer copies configurations, and no secret
should be in them. It holds scrypt hashes only. A person is known by a name or a staff number with a PIN, or by a
badge; `authenticator` checks it.

`cutcard staff` writes the file; a running daemon sees the change at the next sign-in.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.durable_files import replace_file
from controller.engine.actor import Actor
from controller.errors import UserError
from controller.operator.roles import PEOPLE, Role, actor_as
from controller.plain_files import read_plain
from protocols.type_errors import in_words

FILE = "staff.json"
SHORTEST_PIN, LONGEST_PIN = 4, 12
"""What a key panel can take."""

Name = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9._-]{0,31}$")]
Number = Annotated[str, Meta(pattern=r"^[0-9]{4,8}$")]


class StaffError(UserError):
    """What is wrong with the staff file or a change of it, in one paragraph."""


class Person(Struct, frozen=True):
    """A person who has signed in."""

    name: Name
    role: Role

    def at_console(self, client: str) -> Actor:
        """As the journal names what he does on the table's page, opened at this address."""
        return actor_as(self.role, self.name, "console", client)

    def at_panel(self, panel: str) -> Actor:
        return actor_as(self.role, self.name, "key_panel", panel)


SCRYPT_COST = 2**14


class Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN or badge as scrypt (RFC 7914) leaves it, with what it was made with: stronger ones can follow."""

    salt: str
    hash: str
    n: int = SCRYPT_COST
    r: int = 8
    p: int = 1

    def is_of(self, text: str) -> bool:
        return hmac.compare_digest(_scrypt(text, self), bytes.fromhex(self.hash))


class Member(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry of the staff file."""

    name: Name
    role: Role
    number: Number
    """What he keys at a panel, which has digits only."""
    pin: Secret
    full_name: str = ""
    badge: str = ""
    """Hash of his badge's code under the file's salt, so that one look finds whose it is."""

    def __post_init__(self) -> None:
        if self.role not in PEOPLE:
            raise ValueError(f"the role of a person is one of {', '.join(PEOPLE)}; {self.role.value} is none.")

    @property
    def person(self) -> Person:
        return Person(self.name, self.role)


class Staff(Struct, frozen=True, forbid_unknown_fields=True):
    """The staff file."""

    badge_salt: str
    people: tuple[Member, ...] = ()

    def member(self, who: str) -> Member | None:
        """By name or staff number."""
        return next((member for member in self.people if who in (member.name, member.number)), None)

    def badge_holder(self, code: str) -> Member | None:
        seen = self.badge_hash(code)
        return next((m for m in self.people if m.badge and hmac.compare_digest(m.badge, seen)), None)

    def badge_hash(self, code: str) -> str:
        return _scrypt(code, Secret(self.badge_salt, "")).hex()

    def with_member(
        self,
        name: str,
        role: Role,
        number: str,
        pin: str,
        *,
        full_name: str = "",
        badge: str = "",
        cost: int = SCRYPT_COST,
    ) -> Staff:
        """This staff and one more, or a new entry for the same person; `StaffError` if that is wrong.

        `cost`: scrypt's n for the PIN; less only where the people are simulated.
        """
        _check_pin(pin)
        others = tuple(member for member in self.people if member.name != name)
        taken = next((member.name for member in others if number in (member.number, member.name)), None)
        if taken is not None:
            raise StaffError(f"{taken} has the number {number} already; give {name} another.")
        code = self.badge_hash(badge) if badge else ""
        holder = next((member.name for member in others if code and member.badge == code), None)
        if holder is not None:
            raise StaffError(f"{holder} has that badge already.")
        salt = secrets.token_hex(16)
        hashed = Secret(salt, _scrypt(pin, Secret(salt, "", cost)).hex(), cost)
        try:
            new = msgspec.convert(
                {
                    "name": name,
                    "role": role,
                    "number": number,
                    "pin": hashed,
                    "full_name": full_name.strip(),
                    "badge": code,
                },
                Member,
                from_attributes=True,
            )
        except msgspec.ValidationError:
            raise StaffError(
                f"{name!r} with the number {number!r}: a name has small letters, digits, dots and dashes and is "
                "in the journal; a staff number has four to eight digits."
            ) from None
        return replace(self, people=tuple(sorted((*others, new), key=lambda member: member.name)))

    def without(self, name: str) -> Staff:
        if all(member.name != name for member in self.people):
            raise StaffError(f"There is no {name!r} on the staff; `cutcard staff list` names everybody.")
        return replace(self, people=tuple(member for member in self.people if member.name != name))


def with_drawn_pin(staff: Staff, name: str, role: Role, number: str, *, cost: int = SCRYPT_COST) -> tuple[Staff, str]:
    """This staff and one more, for a demonstration: a PIN of six digits is drawn for him."""
    while True:
        pin = f"{secrets.randbelow(10**6):06d}"
        with suppress(StaffError):
            _check_pin(pin)
            break
    return staff.with_member(name, role, number, pin, cost=cost), pin


def read_staff(path: Path) -> Staff:
    """The staff in this file; nobody where there is none yet."""
    try:
        return msgspec.json.decode(read_plain(path), type=Staff)
    except FileNotFoundError:
        return Staff(secrets.token_hex(16))
    except OSError as error:
        raise StaffError(f"The staff file {path} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        raise StaffError(
            f"The staff file {path} is damaged: {in_words(error)} Or remove it and add everybody again with "
            "`cutcard staff add`."
        ) from None


def write_staff(path: Path, staff: Staff) -> None:
    """Replace the file in one step, readable by the service only, whichever user runs the command."""
    try:
        replace_file(path, msgspec.json.format(msgspec.json.encode(staff)) + b"\n", owner=path.parent.stat())
    except OSError as error:
        raise StaffError(f"The staff file {path} cannot be written: {error.strerror}.") from None


def describe(members: Iterable[Member]) -> str:
    """The staff as a table for people; nothing secret in it."""
    rows = [("name", "role", "number", "badge", "full name")]
    rows += [(m.name, m.role.value, m.number, "yes" if m.badge else "no", m.full_name) for m in members]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _check_pin(pin: str) -> None:
    if not re.fullmatch(rf"[0-9]{{{SHORTEST_PIN},{LONGEST_PIN}}}", pin):
        raise StaffError(f"A PIN has {SHORTEST_PIN} to {LONGEST_PIN} digits.")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise StaffError(
            "That PIN is the first that a stranger tries: digits in a row or all the same. Choose another."
        )


def _scrypt(text: str, secret: Secret) -> bytes:
    return hashlib.scrypt(
        text.encode(), salt=bytes.fromhex(secret.salt), n=secret.n, r=secret.r, p=secret.p, maxmem=2**26, dklen=32
    )


NO_PIN = Secret("00" * 16, "00" * 32)
"""No PIN has this hash; checking it costs what checking a real one does."""
NOBODY = Staff("00" * 16)
