"""`inputs` never shows a face-down card: a card that it lists, at any moment, is in a public event of that round.

A run takes a twelfth of the rulesets, others with each commit.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from controller import __version__
from controller.engine import events as ev
from controller.engine.expect.bot import NoAnswer, answer
from controller.engine.inputs import Started
from controller.evidence.words import Unknown, exposed_cards
from controller.operator.console_view import put_in
from controller.rules import all_rulesets, load
from tests.engine.test_bot import a_table
from tests.long.crash import Cards
from tests.support.evidence_journals import Play, play
from tests.support.turns import part


@pytest.mark.parametrize("ruleset", part(sorted(all_rulesets()), 12))
def test_no_listed_input_has_a_card_that_was_not_shown(ruleset: str, tmp_path: Path) -> None:
    rng = random.Random(ruleset)
    setup = msgspec.to_builtins(a_table(rng, all_rulesets()[ruleset]), str_keys=True)
    shown: set[str] = set()

    def follow(events: tuple[ev.Event, ...]) -> None:
        for event in events:
            if isinstance(event, ev.RoundStarted):
                shown.clear()
            shown.update(exposed_cards([event]))

    async def script(table: Play) -> None:
        table.recorder.listen(follow)
        while table.engine.round_number < 3:
            pack = Cards(table.engine, rng)
            given = answer(table.engine.expectation, rng, pack.next, name_card=pack.next, look=pack.of)
            await table.do(given, by="bot")
            for listed in put_in(table.engine):
                named = set(exposed_cards([Unknown(listed.label, dict(listed.body))]))
                assert named <= shown, f"{listed.label} shows {named - shown}"

    with suppress(NoAnswer):  # where the table first waits for its own settings
        play(tmp_path / "journal.db", script, Started(__version__, ruleset, load(ruleset).digest_with({}), {}, setup))
