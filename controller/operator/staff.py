"""The people of a table: who they are and how they prove it.

The staff file is beside the journal, apart from the configuration: an installer copies configurations, and no secret
should be in them. It holds scrypt hashes only. A person is known by a name or a staff number with a PIN, or by a
badge. `Authenticator` checks it. After a few wrong tries a name is locked for a while, longer each time, so that
four digits cannot be guessed; and every try takes the same time whether or not there is such a person.

`cutcard staff` writes the file; a running daemon sees the change at the next sign-in.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.errors import UserError
from controller.operator.roles import Role

FILE = "staff.json"
TRIES = 5
"""Wrong PINs in a row before a name is locked."""
FIRST_LOCK_S = 60.0
LONGEST_LOCK_S = 15 * 60.0
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

    @property
    def by(self) -> str:
        """As the journal names him: "floor:ann"."""
        return f"{self.role.value}:{self.name}"


class Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN or badge as scrypt (RFC 7914) leaves it, with what it was made with: stronger ones can follow."""

    salt: str
    hash: str
    n: int = 2**14
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
        self, name: str, role: Role, number: str, pin: str, *, full_name: str = "", badge: str = ""
    ) -> Staff:
        """This staff and one more, or a new entry for the same person; `StaffError` if that is wrong."""
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
        hashed = Secret(salt, _scrypt(pin, Secret(salt, "")).hex())
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


def read_staff(path: Path) -> Staff:
    """The staff in this file; nobody where there is none yet."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Staff)
    except FileNotFoundError:
        return Staff(secrets.token_hex(16))
    except OSError as error:
        raise StaffError(f"The staff file {path} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        raise StaffError(
            f"The staff file {path} is damaged: {error}. Fix it, or remove it and add everybody again with "
            "`cutcard staff add`."
        ) from None


def write_staff(path: Path, staff: Staff) -> None:
    """Replace the file in one step, readable by the service only, whoever runs the command."""
    beside = path.with_name(f".{path.name}.new")
    try:
        owner = path.parent.stat()
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(staff)) + b"\n")
            file.flush()
            os.fsync(file.fileno())
            if os.geteuid() == 0:
                os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        beside.replace(path)
    except OSError as error:
        raise StaffError(f"The staff file {path} cannot be written: {error.strerror}.") from None


class Denied(Exception):
    """Why a sign-in failed: a code for programs and a sentence that does not reveal which half was wrong."""

    def __init__(self, why: str, text: str, *, name: str = "", is_recorded: bool = True) -> None:
        super().__init__(text)
        self.why, self.text = why, text
        self.name = name
        """The name, if it is on the staff: what a stranger typed is not kept, it may be half a PIN."""
        self.is_recorded = is_recorded
        """Whether it is worth an entry in the journal: tries at a locked name are not, they could fill it."""


class _Tries(Struct):
    name: str
    wrong: int = 0
    locks: int = 0
    locked_until: float = 0.0


class Authenticator:
    """Checks PINs and badges against the staff file."""

    def __init__(self, path: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._now = now
        self._read: tuple[tuple[int, int], Staff] | None = None
        self._tries: dict[str, _Tries] = {}
        self._one_at_a_time = asyncio.Lock()

    async def by_pin(self, who: str, pin: str) -> Person:
        """The person of this name or number, whose PIN it is; `Denied` where not."""
        async with self._one_at_a_time:
            member = self._staff().member(who)
            # Names that nobody has share one count: an open list of them would grow without end.
            tries = self._open("?" if member is None else member.name)
            right = await asyncio.to_thread((_NOBODY if member is None else member.pin).is_of, pin)
            if member is None or not right:
                raise self._wrong(tries, "Name and PIN do not fit.")
            return self._right(tries, member)

    async def by_badge(self, code: str) -> Person:
        """Whose badge it is; `Denied` where nobody's."""
        async with self._one_at_a_time:
            tries = self._open("badge")
            member = await asyncio.to_thread(self._staff().badge_holder, code)
            if member is None:
                raise self._wrong(tries, "This badge is nobody's here.")
            return self._right(tries, member)

    def still_is(self, person: Person) -> bool:
        """Whether the file has that person in that role now."""
        with contextlib.suppress(StaffError):
            return any(member.person == person for member in self._staff().people)
        return False

    @property
    def knows_somebody(self) -> bool:
        with contextlib.suppress(StaffError):
            return bool(self._staff().people)
        return False

    def _open(self, name: str) -> _Tries:
        tries = self._tries.setdefault(name, _Tries(name))
        left = tries.locked_until - self._now()
        if left > 0:
            raise Denied("locked", f"Too many wrong tries; wait {max(1, round(left))} seconds.", is_recorded=False)
        return tries

    def _right(self, tries: _Tries, member: Member) -> Person:
        tries.wrong = tries.locks = 0
        return member.person

    def _wrong(self, tries: _Tries, text: str) -> Denied:
        tries.wrong += 1
        if tries.wrong < TRIES:
            return Denied("denied", text, name=tries.name)
        lock = min(FIRST_LOCK_S * 2**tries.locks, LONGEST_LOCK_S)
        tries.wrong, tries.locks, tries.locked_until = 0, tries.locks + 1, self._now() + lock
        return Denied("locked", f"{text} That was one try too many; wait {round(lock)} seconds.", name=tries.name)

    def _staff(self) -> Staff:
        """The file as it is now; `cutcard staff` replaces it under a running daemon."""
        with contextlib.suppress(FileNotFoundError):
            stat = self._path.stat()
            stamp = (stat.st_mtime_ns, stat.st_ino)
            if self._read is None or self._read[0] != stamp:
                self._read = stamp, read_staff(self._path)
            return self._read[1]
        self._read = None
        return _EMPTY


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


_NOBODY = Secret("00" * 16, "00" * 32)
"""No PIN has this hash; checking it costs what checking a real one does."""
_EMPTY = Staff("00" * 16)
