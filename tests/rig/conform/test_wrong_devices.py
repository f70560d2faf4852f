"""Our own devices pass every requirement; a device that is wrong in one place fails at exactly that one.

A part of the wrong devices with each commit; `make conform` judges all of them.
"""

from __future__ import annotations

import pytest

from sim_hw.conform.kinds import KINDS
from tests.support.turns import part
from tests.support.wire.conformance import judged

WRONG = [(kind, each.id) for kind, of in KINDS.items() for each in of.requirements if each.wrong is not None]


@pytest.mark.parametrize("kind", KINDS)
def test_our_own_device_passes_every_requirement(kind: str) -> None:
    outcome = judged(kind)
    assert {result.requirement.id: result.detail for result in outcome.of("failed")} == {}
    assert {result.requirement.id: result.detail for result in outcome.of("not played")} == {}


@pytest.mark.parametrize(("kind", "id"), part(WRONG, of=160))
def test_a_device_that_is_wrong_in_one_place_fails_there_and_nowhere_else(kind: str, id: str) -> None:
    (wrong,) = [each for each in KINDS[kind].requirements if each.id == id]
    outcome = judged(kind, wrong.wrong)
    assert outcome.failed == [id], [(result.requirement.id, result.detail) for result in outcome.of("failed")]
