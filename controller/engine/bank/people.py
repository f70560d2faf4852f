"""The persons at a table. A seat that nobody has named is one person too, until somebody states otherwise."""

from __future__ import annotations

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.bank.rotation import Binds
from controller.engine.inputs import Place


class Person(Struct, frozen=True, omit_defaults=True):
    """Somebody at a betting place."""

    id: str
    """This person at this table, with or without a name."""
    name: str = ""
    badge: str = ""
    firm: str = ""
    """The third-party bank he acts for."""

    @property
    def called(self) -> str:
        """Name or badge; empty where neither is known."""
        return self.name or self.badge


class People(Struct, frozen=True, omit_defaults=True):
    """Who is at which betting place, as far as it was stated."""

    at: dict[str, Person] = {}
    """By place: "3" is seat 3, "3.2" its second square."""
    stated: int = 0
    """How often another person was stated: it makes their ids."""

    def person(self, place: Place) -> Person:
        named = self.at.get(str(place)) if self.at else None
        return _unnamed(place) if named is None else named

    def named(self, place: Place, given: Person, *, is_another: bool) -> People:
        """With a name for the person at the place. Another name is another person; a name where there was none is not,
        unless `is_another`."""
        before = self.person(place)
        changed = is_another or bool(before.called and given.called and not _is_same_name(before, given))
        number = self.stated + 1 if changed else self.stated
        person = replace(given, id=f"{place}#{number}" if changed else before.id)
        return People({**self.at, str(place): person}, number)


@cache
def _unnamed(place: Place) -> Person:
    """Somebody at a place that nobody has named. A place is bounded, so there are few."""
    return Person(str(place))


def is_same(one: Person, other: Person, binds: Binds) -> bool:
    """Whether the limit counts these two as one.

    >>> ann, bob = Person("3", "Ann", firm="Blue Bank"), Person("8", "Bob", firm="Blue Bank")
    >>> is_same(ann, bob, "person"), is_same(ann, bob, "entity"), is_same(ann, Person("5#1", "Ann"), "person")
    (False, True, True)
    """
    if one is other or one.id == other.id or _is_same_name(one, other):
        return True
    return binds == "entity" and bool(one.firm) and one.firm.casefold() == other.firm.casefold()


def _is_same_name(one: Person, other: Person) -> bool:
    if one.badge and other.badge:
        return one.badge.casefold() == other.badge.casefold()
    return bool(one.name) and one.name.casefold() == other.name.casefold()
