"""A dealer and a floor supervisor for a simulated table, with PINs of their own.

The simulated people sign in like anybody else. Their PINs are drawn anew for each table and are in a file beside the
staff file, as a note that the person keeps: docs/table/console.md, "For programs".
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from controller.operator.roles import Role
from controller.operator.staff import FILE, SCRYPT_COST, read_staff, with_drawn_pin, write_staff

NOTES = "people.json"
PEOPLE = ((Role.DEALER, "sam", "1001"), (Role.FLOOR, "ann", "1002"))


def introduced(data: Path) -> str:
    """Who may sign in here, with PINs, for somebody who wants to try."""
    notes = msgspec.json.decode((data / NOTES).read_bytes(), type=dict[str, dict[str, str]])
    return ", ".join(f"{person['name']} ({role}, PIN {person['pin']})" for role, person in notes.items())


def hire(data: Path, cost: int = SCRYPT_COST) -> None:
    """Sam deals and Ann supervises at the table that has its data in this folder. `cost`: of checking a PIN."""
    data.mkdir(parents=True, exist_ok=True)
    staff, notes = read_staff(data / FILE), {}
    for role, name, number in PEOPLE:
        staff, pin = with_drawn_pin(staff, name, role, number, cost=cost)
        notes[role.value] = {"name": name, "pin": pin}
    write_staff(data / FILE, staff)
    (data / NOTES).touch(mode=0o600)
    (data / NOTES).write_bytes(msgspec.json.encode(notes))
