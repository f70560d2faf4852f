"""What every kind of want has: a verdict on an input, and words for people."""

from __future__ import annotations

from typing import Any, Final, dataclass_transform

from msgspec import Struct, field

from controller.engine.inputs import AnyBody


class Refusal(Struct, frozen=True):
    """Why an input changes nothing: the sheet's code, a sentence for a person, and the bound that it broke."""

    why: str
    text: str
    bounds: dict[str, Any] = {}


class Elsewhere:
    """The input is not this want's business."""


ELSEWHERE: Final = Elsewhere()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Want(Struct, frozen=True, tag_field="want", omit_defaults=True, gc=False):
    """One thing the table is ready for."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        """None: legal. A refusal: this want's, but not like that. `ELSEWHERE`: not a matter of this want."""
        raise NotImplementedError

    def prompt(self) -> str:
        raise NotImplementedError


def title(owner: str) -> str:
    """An owner's name for people: "Banker", "Seat 3", "Player-dealer".

    >>> title("player_dealer"), title("3"), title("3.2"), title("3/2")
    ('Player-dealer', 'Seat 3', 'Seat 3, spot 2', 'Seat 3, split hand 2')
    """
    if owner[:1].isdigit():
        place, _, split = owner.partition("/")
        seat, _, spot = place.partition(".")
        name = f"Seat {seat}, spot {spot}" if spot else f"Seat {seat}"
        return f"{name}, split hand {split}" if split else name
    return owner[:1].upper() + owner[1:].replace("_", "-" if owner == "player_dealer" else " ")
