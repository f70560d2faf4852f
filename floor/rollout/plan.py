"""A plan, as the office has signed it: one signed request for each table."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.contract.requests import UPDATES
from floor.answers import Refused
from protocols.type_errors import in_words

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.@-]{1,64}$")]
COMMANDS = {what: command for command, what in UPDATES.items()}


class SignedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What one table gets."""

    table: Name
    address: str
    size: int
    sha256: str
    issued: int
    serial: int
    key: str
    signature: str

    @property
    def fields(self) -> dict[str, Any]:
        """Of the request."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        del fields["table"]
        return fields


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """All of it. Whether a signature is right, each table judges."""

    format: Annotated[int, Meta(ge=1, le=1)]
    site: str
    what: Literal["staff", "configuration", "software", "certificate"]
    made: int
    tables: Annotated[tuple[SignedTable, ...], Meta(min_length=1, max_length=400)]

    @property
    def command(self) -> str:
        return COMMANDS[self.what]


def read_plan(text: str, site: str) -> Plan:
    """`Refused` states what is wrong with it."""
    try:
        plan = msgspec.json.decode(text, type=Plan)
    except msgspec.ValidationError as error:
        raise Refused("no_plan", f"This is no plan: {in_words(error)}") from None
    except msgspec.DecodeError:
        raise Refused("no_plan", "This is no plan: `cutcard reference plan` prints one.") from None
    if plan.site != site:
        raise Refused("other_site", f"This plan is for the site {plan.site}; this is {site}.")
    names = [each.table for each in plan.tables]
    if len(set(names)) < len(names):
        raise Refused("no_plan", "This plan names a table twice.")
    return plan
