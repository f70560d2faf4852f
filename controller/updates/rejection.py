"""Why a reference, or the bundle that it names, is not taken."""

from __future__ import annotations

from controller.contract.why import Why
from controller.errors import UserError


class ReferenceRejected(UserError):
    """A code for programs, a sentence for people. Nothing was changed."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why
