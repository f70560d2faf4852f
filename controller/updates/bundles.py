"""What is in a bundle. Its hash and signature were checked before anything here sees a byte of it."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from itertools import chain
from pathlib import Path

import msgspec
from cryptography import x509

from controller.contract.why import Why
from controller.operator.roles import Role
from controller.operator.staff import SCRYPT_COST, Member, Secret, Staff
from controller.toml_text import loads
from controller.updates.rejection import ReferenceRejected
from protocols.type_errors import in_words

MOST_TEXT = 2**20
"""Bytes of a staff file or a configuration."""
MOST_PEOPLE = 2000
_NAMED = 12
"""People in a sentence; an entry of the journal has room for no more than 2000 letters."""
_PEM_KEY = re.compile(rb"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_HEX = re.compile(r"([0-9a-f]{2})*")
_PACKAGE = b"!<arch>\ndebian-binary   "
"""How every Debian package begins: an `ar` archive whose first member is this."""


def read_staff_bundle(data: bytes) -> Staff:
    """A staff file as `cutcard staff` writes it; `ReferenceRejected` if it is none, or no table could work by it."""
    expect_no_private_key(data)
    try:
        staff = msgspec.json.decode(data, type=Staff)
    except msgspec.MsgspecError as error:
        raise _bad(f"it is no staff file: {in_words(error)}") from None
    except (UnicodeDecodeError, RecursionError):
        raise _bad("it is no staff file: expected JSON in UTF-8") from None
    expect_no_private_key(msgspec.json.encode(staff))
    if len(staff.people) > MOST_PEOPLE:
        raise _bad(f"it has {len(staff.people)} people, and a table has at most {MOST_PEOPLE}")
    if not _is_hex(staff.badge_salt, 16):
        raise _bad("badge_salt is not 32 hex digits")
    known = Counter(chain.from_iterable({member.name, member.number} for member in staff.people))
    badges = Counter(member.badge for member in staff.people if member.badge)
    for member in staff.people:
        if known[member.name] > 1 or known[member.number] > 1:
            raise _bad(f"{member.name} has the name or the number of another")
        if member.badge and (badges[member.badge] > 1 or not _is_hex(member.badge, 32)):
            raise _bad(f"the badge of {member.name} is another's, or no hash")
        if not _is_strong(member.pin):
            raise _bad(f"the PIN of {member.name} is not hashed as `cutcard staff` does it (scrypt, n {SCRYPT_COST})")
        if len(member.full_name) > 200:
            raise _bad(f"the full name of {member.name} is longer than 200 letters")
    if not any(member.role is Role.FLOOR for member in staff.people):
        raise _bad("nobody in it has the role floor, and a table that is held could not go on")
    return staff


def staff_changes(old: Staff, new: Staff) -> str:
    """Who came, changed and went, by name."""
    before, after = _by_name(old), _by_name(new)
    groups = {
        "new": sorted(after.keys() - before.keys()),
        "changed": sorted(name for name in after.keys() & before.keys() if after[name] != before[name]),
        "gone": sorted(before.keys() - after.keys()),
    }
    found = [f"{title}: {_few(names)}" for title, names in groups.items() if names]
    return f"{'; '.join(found) or 'Nobody has changed'}."


def expect_config_text(data: bytes) -> str:
    """The text of a configuration without a private key in it; what it says is judged as every configuration is."""
    expect_no_private_key(data)
    try:
        text = data.decode()
        # Escapes in its values are resolved here: a key must not come through in another spelling.
        expect_no_private_key(json.dumps(loads(text), default=str).encode())
    except UnicodeDecodeError:
        raise _bad("it is not in UTF-8") from None
    except tomllib.TOMLDecodeError:
        pass  # the judge of the configuration names the line
    return text


def expect_certificate(data: bytes) -> x509.Certificate:
    """A certificate in PEM, without a private key beside it; whose it is, is judged where it is installed."""
    expect_no_private_key(data)
    try:
        return x509.load_pem_x509_certificates(data)[0]
    except ValueError:
        raise _bad("it is no certificate in PEM") from None


def expect_package(file: Path) -> None:
    with file.open("rb") as opened:
        if opened.read(len(_PACKAGE)) != _PACKAGE:
            raise _bad("it is no Debian package")


def expect_no_private_key(data: bytes) -> None:
    if _PEM_KEY.search(data):
        text = "there is a private key in it. Keys never travel: consider it known, and make another where it is used"
        raise ReferenceRejected(Why.HOLDS_PRIVATE_KEY, text)


def _is_strong(secret: Secret) -> bool:
    """At least as costly to guess as our own, and no more costly than the board can bear at every sign-in."""
    costs = (secret.n in (SCRYPT_COST, SCRYPT_COST * 2), secret.r == 8, secret.p == 1)
    return all(costs) and _is_hex(secret.salt, 16) and _is_hex(secret.hash, 32)


def _is_hex(text: str, size: int) -> bool:
    return len(text) == 2 * size and _HEX.fullmatch(text) is not None


def _by_name(staff: Staff) -> dict[str, Member]:
    return {member.name: member for member in staff.people}


def _few(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _bad(text: str) -> ReferenceRejected:
    return ReferenceRejected(Why.BAD_BUNDLE, text)
