"""Hostile inputs at every table: none of them ends the program, breaks a round, fills the memory or takes long.

`make test` takes some thousands, others with each commit; CUTCARD_SOAK=1000000 a million, and measures the time of
each answer. A failure prints ruleset, seed and input.
"""

from __future__ import annotations

import os
import random

from controller.engine.inputs import decode_body
from controller.engine.reading import Unreadable
from tests.support.hostile.fuzz import how_many, inputs
from tests.support.hostile.hostile_inputs import KINDS, of_every_kind
from tests.support.hostile.input_fuzz import in_a_process
from tests.support.turns import turn

SEED = turn()


def test_no_input_of_any_kind_harms_a_table_of_any_ruleset() -> None:
    found = in_a_process(how_many(), SEED, timed="CUTCARD_SOAK" in os.environ)
    assert not found.faults, "\n".join(found.faults[:20])
    assert found.fuzzed >= how_many()
    # Else it would prove little: some are rejected where they enter, some refused by the table, some taken.
    assert min(found.unreadable, found.refused, found.hostile_taken) * 50 > found.inputs
    assert found.rulesets > 15


def test_bytes_at_random_are_an_input_or_rejected_in_a_sentence() -> None:
    good = [
        b'{"kind": "wager", "place": "3.2", "wager": "player_line", "cents": 500}',
        b'{"kind": "act", "seat": 3, "do": "raise", "to": 900, "facts": {"onto": 1}}',
        b'{"kind": "table_set", "seats": [1, 2], "settings": {"blinds": {"1": 100}}}',
    ]
    for data in inputs(SEED, good):
        try:
            decode_body(data)
        except Unreadable as rejected:
            assert str(rejected)[-1] in ".", rejected
            assert "`" not in str(rejected) or b"`" in data, rejected


def test_the_fuzzer_knows_every_kind_of_input() -> None:
    rng = random.Random(1)
    made = {of_every_kind(rng)["kind"] for _ in range(2000)}
    assert made == {kind.tag for kind in KINDS}
