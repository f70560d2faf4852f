"""Messages and reports as values: what nobody may know yet is in none of their words."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from typing import get_args

import pytest
from msgspec import structs

import devices
import protocols
from protocols.values import Value

SECRET = "queen of spades, 4711"
NAMES_OF_SECRETS = frozenset({"card", "cards", "digits", "key"})
"""What a card, a PIN and a key are called; a number of that name (a count of cards, the third key) is no secret."""
RAW = frozenset(
    {
        "devices.ports.hid_port.Packet.data",
        "devices.drivers.card_reader.driver.CardScanned.text",
        "devices.ports.tap.Chunk.data",
        "protocols.firmware.messages.UpdateChunk.data",
        "protocols.pcapng.Packet.data",
    }
)
"""As it came over the wire, a card perhaps."""


def classes() -> list[type[Value]]:
    """Every value of protocols/ and devices/."""
    for folder in (protocols, devices):
        for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            importlib.import_module(module.name)
    return sorted(below(Value), key=lambda kind: (kind.__module__, kind.__name__))


def below(kind: type[Value]) -> set[type[Value]]:
    direct = {each for each in kind.__subclasses__() if each.__module__.startswith(("protocols.", "devices."))}
    return direct.union(*(below(each) for each in direct))


CLASSES = classes()
HIDING = [kind for kind in CLASSES if kind.HIDDEN]


def filled(kind: type[Value], secret: str = SECRET) -> Value:
    """One whose hidden fields hold the secret, and the others a number."""
    return kind(**{name: secret if name in kind.HIDDEN else 7 for name in kind.__struct_fields__})


def name_of(kind: type[Value]) -> str:
    return f"{kind.__module__}.{kind.__name__}"


def test_all_messages_and_reports_are_met() -> None:
    hidden = {f"{name_of(kind)}.{name}" for kind in HIDING for name in kind.HIDDEN}
    assert len(CLASSES) > 150
    assert {
        "protocols.shoe.CardDrawn.card",
        "protocols.shuffler.messages.StackDispensed.cards",
        "devices.drivers.key_panel.Pin.digits",
    } <= hidden
    assert hidden >= RAW


def test_a_value_says_everything_but_its_secrets() -> None:
    for kind in CLASSES:
        value = filled(kind)
        visible = [name for name in kind.__struct_fields__ if name not in kind.HIDDEN]
        assert repr(value) == f"{kind.__name__}({', '.join(f'{name}=7' for name in visible)})"
        assert [name for name, _ in value.__rich_repr__()] == visible
        for words in (str(value), f"{value}", f"{value!r}", repr([value]), repr({"report": (value,)})):
            assert SECRET not in words, name_of(kind)


def test_whatever_is_called_like_a_secret_is_hidden_or_a_number() -> None:
    for kind in CLASSES:
        for field in structs.fields(kind):
            if field.name in NAMES_OF_SECRETS - kind.HIDDEN:
                kinds = set(get_args(field.type) or (field.type,))
                assert kinds <= {int, type(None)}, f"{name_of(kind)}.{field.name}"


def test_what_is_hidden_is_there_all_the_same() -> None:
    for kind in HIDING:
        value = filled(kind)
        assert set(kind.HIDDEN) <= set(kind.__struct_fields__), name_of(kind)
        assert all(getattr(value, name) == SECRET for name in kind.HIDDEN)
        assert value == filled(kind)
        assert value != filled(kind, "another card")
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_value_hides_what_the_one_it_stands_on_hides() -> None:
    for kind in CLASSES:
        assert all(base.HIDDEN <= kind.HIDDEN for base in kind.__mro__ if issubclass(base, Value)), name_of(kind)


def test_a_value_is_never_changed() -> None:
    for kind in CLASSES:
        value = filled(kind)
        for name in kind.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(value, name, 8)
