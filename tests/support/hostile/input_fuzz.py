"""Hostile inputs at every table, in a process of its own with a cap on its memory.

    python -m tests.support.hostile.input_fuzz --times 20000 --seed 7

A bot deals every ruleset; between its moves hostile inputs come, by the way of a person's act. After each one, the
documents of screens and broker are made. The last line is the result as JSON (`Found`). What goes wrong is printed with
ruleset, seed and input.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from controller.config.fields import Config, RulesConfig
from controller.engine import events as ev
from controller.engine.expect.bot import NoAnswer, answer
from controller.engine.expect.expectation import prompt
from controller.engine.facts import KnownFacts
from controller.engine.inputs import (
    AnyBody,
    BoardSeen,
    CardOut,
    CutCardOut,
    DeviceSeen,
    DiceRolled,
    FloorAct,
    Happening,
    Input,
    Noted,
    PackReported,
    Place,
    ShoeStarted,
    StackOut,
    TableOpened,
    TableSet,
    TimePassed,
    decode_body,
    decode_input,
    encode_input,
)
from controller.engine.reading import Unreadable
from controller.engine.round.felt import Setup
from controller.engine.table.settings import TableSettings
from controller.engine.table.state import TableState
from controller.operator.console_view import console_document
from controller.operator.offers.offers import offers
from controller.operator.roles import right_for
from controller.outputs.state import state
from controller.outputs.view import Roads, view
from controller.recorder.recorder import engine_from
from controller.rules import all_rulesets, resolve
from tests.support.games.own_cards import own_cards
from tests.support.hostile.hostile_inputs import hostile_value, named_values, some
from tests.support.project import ROOT

MOST_MEMORY = 512 * 1024 * 1024
PER_TABLE = 150
"""Inputs before the next table is set up."""
SLOW_S = 0.1
"""An answer that takes longer is a fault, where time is measured."""


class Found(Struct):
    """How it went."""

    inputs: int = 0
    """All, the bot's moves between the hostile inputs too."""
    fuzzed: int = 0
    """Without the bot's moves."""
    unreadable: int = 0
    refused: int = 0
    taken: int = 0
    hostile_taken: int = 0
    rulesets: int = 0
    faults: list[str] = []
    slowest_ms: float = 0.0


class HostileTable:
    """One table of one ruleset, from one seed."""

    def __init__(self, slug: str, seed: str, found: Found, *, timed: bool) -> None:
        self.slug, self.seed, self.found, self.timed = slug, seed, found, timed
        self.rng = random.Random(f"{slug}/{seed}")
        self.at = 0
        self.roads = Roads()
        self.good: list[Any] = []
        setup = self._a_setup()
        self.engine = engine_from(TableState(setup, slug), resolve)
        self.left: list[str] = []

    def _a_setup(self) -> Setup:
        rng = self.rng
        seats = sorted(rng.sample(range(1, 7), rng.randrange(4, 7)))
        structures: tuple[dict[str, Any], ...] = (
            {"kind": "fixed_limit", "low": 300, "high": 600},
            {"kind": "no_limit"},
            {"kind": "pot_limit"},
            {"kind": "spread_limit", "low": 100, "high": 500},
        )
        settings: dict[str, Any] = {
            "structure": rng.choice(structures),
            "blinds": {str(seats[1]): 100, str(seats[2]): 300},
            "stacks": {str(seat): rng.randrange(1, 60) * 100 for seat in seats},
        }
        if rng.random() < 0.3:
            settings["button_moves"] = True
        bank = rng.choice((None, (0,), (20_000,), (5_000, 40_000)))
        return Setup(seats=tuple(seats), player_dealer=7, button=seats[0], settings=settings, bank=bank)

    def play(self, inputs: int) -> None:
        for _ in range(inputs):
            if self.rng.random() < 0.5:
                self._legal()
            elif self.rng.random() < 0.2:
                self.found.fuzzed += 1
                self._apply(self._from_a_device(), "device:x")
            else:
                self._hostile()

    def _hostile(self) -> None:
        data = some(self.rng, self._good)
        began = time.thread_time()
        self.found.inputs += 1
        self.found.fuzzed += 1
        try:
            body = decode_body(data)
        except Unreadable as error:
            self.found.unreadable += 1
            if len(str(error)) > 400 or "`" in str(error):
                self._fault(f"no sentence for people: {error}", data)
            return
        except Exception as error:
            self._fault(_words(error), data)
            return
        finally:
            self._time(began, data)
        if right_for(body) is None:
            self.found.refused += 1
            return
        self._apply(body, "floor:ann", data)

    def _good(self) -> Any:
        """An input that fits this moment, or nearly. Only the chosen one is made: the offers take longer than all the
        rest."""
        made: Any = self.rng.choice([*self._fitting(), self._correction, self._settings, self._options])()
        return made

    def _fitting(self) -> list[Callable[[], Any]]:
        """The last inputs, the console's offers, irregularities."""
        return [
            *(partial(_itself, value) for value in self.good[-8:]),
            self._offer,
            self._offer,
            *[self._happening] * 4,
        ]

    def _offer(self) -> Any:
        offered = offers(self.engine, keys_cards=True)
        return self.rng.choice(offered).body if offered else self._happening()

    def _happening(self) -> dict[str, Any]:
        engine, rng = self.engine, self.rng
        code = rng.choice(engine.rules.happenings or ("something_odd",))
        happening: dict[str, Any] = {
            "kind": "happening",
            "code": code,
            "seat": rng.choice(engine.state.setup.seats or (1,)),
        }
        if rng.random() < 0.6:
            happening["facts"] = named_values(rng, KnownFacts)
        if rng.random() < 0.4:
            happening["cards"] = [self._card() or "As" for _ in range(rng.randrange(1, 4))]
        if rng.random() < 0.4:
            happening["card"] = self._card()
        return happening

    def _correction(self) -> dict[str, Any]:
        """Of the running round, or the last one; each change is itself an input that fits this moment."""
        engine, rng = self.engine, self.rng
        inputs = engine.played.inputs or (engine.last.inputs if engine.last is not None else [])
        if not inputs:
            return self._settings()
        bodies: list[Callable[[], Any]] = [partial(_itself, None), *self._fitting()]
        changes = [
            {"index": rng.randrange(len(inputs)), "body": rng.choice(bodies)()} for _ in range(rng.randrange(1, 3))
        ]
        return {"kind": "amend", "round": engine.round_number, "changes": changes, "reason": "misread"}

    def _settings(self) -> dict[str, Any]:
        return {"kind": "table_set", "settings": named_values(self.rng, TableSettings)}

    def _options(self) -> dict[str, Any]:
        rng = self.rng
        options = rng.sample([*all_rulesets()[self.engine.ruleset].data.options, "schedule", "base_game"], 1)
        return {"kind": "choose_rules", "options": {name: hostile_value(rng) for name in options}}

    def _legal(self) -> None:
        engine, rng = self.engine, self.rng
        current = engine.round
        if not engine.game.uses_shoe and current is not None and not current.begun:
            self._shuffle()
        body: AnyBody
        try:
            body = answer(engine.expectation, rng, self._card, name_card=lambda: self._card() or "As", look=self._look)
        except NoAnswer:
            body = self._way_out()
        except (ValueError, IndexError):
            # The bot knows fewer cards than the game asks for.
            body = FloorAct("void", "the bot gives up")
        if isinstance(body, ShoeStarted):
            self._shuffle()
        self.good.append(json.loads(msgspec.json.encode(body)))
        self._apply(body, "bot")

    def _way_out(self) -> AnyBody:
        setup = self._a_setup()
        reset = TableSet(setup.seats, 7, setup.button, {**dict.fromkeys(_ALL_SETTINGS), **setup.settings})
        stops = self.engine.state.stops
        ways: list[AnyBody] = [TableOpened(), reset, FloorAct("void", "the bot gives up")]
        return BoardSeen(next(iter(stops)), False) if stops else self.rng.choice(ways)

    def _from_a_device(self) -> AnyBody:
        rng = self.rng
        return rng.choice(
            (
                CardOut(self._card(), locked=rng.random() < 0.1),
                CardOut(rng.choice(("As", "Jo", None, "Zz"))),
                StackOut(tuple(self._card() for _ in range(rng.randrange(14)))),
                DiceRolled(tuple(rng.randrange(1, 7) for _ in range(rng.randrange(5)))),
                ShoeStarted(rng.randrange(9), rng.randrange(500)),
                PackReported("red", rng.randrange(60), "shuffler", rng.choice(("", "53 cards"))),
                CutCardOut(),
                DeviceSeen("shoe", rng.choice(("online", "offline", "fault", "lid_open"))),
                Noted("shoe", "stack_removed"),
                Happening(rng.choice(("shuffler_failure", "card_returned", "shoe_empty", "dice_not_read"))),
                Happening("boxed_card", facts={"stack": 1, "nth": 2}),
                Happening("wrong_card_count", facts={"count": rng.randrange(60), "expected": 52}),
                TimePassed(),
            )
        )

    def _apply(self, body: AnyBody, by: str, data: bytes = b"") -> None:
        self.found.inputs += not data
        self.at += 1000
        began = time.thread_time()
        try:
            value = decode_input(encode_input(Input(self.at, by, body)))
            events = self.engine.apply(value)
            ev.encode_events(tuple(events))
            refused = any(isinstance(event, ev.Refused) for event in events)
            if self.rng.random() < (_LOOKS_REFUSED if refused else _LOOKS_TAKEN if data else _LOOKS_MOVED):
                self._look_at_it()
        except Exception as error:
            self._fault(_words(error), data or msgspec.json.encode(body))
            self.engine = engine_from(TableState(self._a_setup(), self.slug), resolve)
            return
        self._time(began, data)
        for event in events:
            if isinstance(event, ev.Irregularity) and event.code == "engine_fault":
                self._fault(f"{event.text}: {self._why()}", data or msgspec.json.encode(body))
                self.engine.apply(Input(self.at, by, FloorAct("void", "a fault")))
        self.found.refused += refused
        self.found.taken += not refused
        self.found.hostile_taken += bool(data) and not refused

    def _why(self) -> str:
        return _LAST_FAULT.pop() if _LAST_FAULT else "?"

    def _look_at_it(self) -> None:
        """Everything that screens and broker are given after an input."""
        engine = self.engine
        prompt(engine.expectation)
        seen = view(engine, CONFIG, self.at, self.roads, broker_online=True)
        document = msgspec.json.encode(seen)
        console_document(engine, document, keys_cards=True, trouble=None)
        if self.at % 5000 == 0:
            msgspec.json.encode(state(engine, CONFIG, "0" * 32, self.at))

    def _time(self, began: float, data: bytes) -> None:
        took = time.thread_time() - began
        self.found.slowest_ms = max(self.found.slowest_ms, took * 1000)
        if self.timed and took > SLOW_S:
            self._fault(f"answered after {took * 1000:.0f} ms", data)

    def _fault(self, what: str, data: bytes) -> None:
        self.found.faults.append(f"{self.slug} seed {self.seed} at {self.at}: {what}: {data[:300]!r}")

    def _shuffle(self) -> None:
        deck = self.engine.rules.deck or {}
        self.left = [code for code, count in deck.items() for _ in range(count)]
        self.rng.shuffle(self.left)

    def _card(self) -> str | None:
        if self.rng.randrange(20) == 0:
            return None
        if not self.left:
            self._shuffle()
        return self.left.pop() if self.left else None

    def _look(self, place: Place) -> Sequence[str]:
        return own_cards(self.engine, place)


_ALL_SETTINGS = ("structure", "blinds", "blind_sizes", "antes", "carried", "stacks", "kill", "button_moves",
                 "last_winner", "first_player", "deal_from", "positions", "action_button")  # fmt: skip
_LAST_FAULT: list[str] = []
_LOOKS_TAKEN, _LOOKS_REFUSED, _LOOKS_MOVED = 1.0, 0.25, 0.05
"""How often the documents are made after an input: always where a hostile one was taken. After a refusal they are made
of the same table as before."""


def _itself(value: Any) -> Any:
    return value


CONFIG = Config(site="test", table="t-1", rules=RulesConfig(ruleset="bankers-ez-baccarat-panda-8"))


def _words(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    return f"{type(error).__name__}: {error} ({last.filename.removeprefix(f'{ROOT}/')}:{last.lineno})"


def at_every_table(count: int, seed: int, *, timed: bool = False) -> Found:
    """Fuzzed inputs at the rulesets, in an order that the seed decides."""
    from controller.engine.round.kernel import Round

    fail = Round.fail

    def remembered(self: Round, error: Exception) -> None:
        _LAST_FAULT[:] = [_words(error)]
        fail(self, error)

    Round.fail = remembered  # type: ignore[method-assign]
    found = Found()
    slugs = list(all_rulesets())
    random.Random(seed).shuffle(slugs)
    n = 0
    while found.fuzzed < count:
        HostileTable(slugs[n % len(slugs)], f"{seed}/{n}", found, timed=timed).play(PER_TABLE)
        n += 1
    found.rulesets = min(n, len(slugs))
    return found


def in_a_process(count: int, seed: int, *, timed: bool) -> Found:
    """The same in a process of its own, with a cap on its memory."""
    command = [sys.executable, "-m", "tests.support.hostile.input_fuzz", "--times", str(count), "--seed", str(seed)]
    command += ["--timed"] if timed else []
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    return msgspec.json.decode(ended.stdout.splitlines()[-1], type=Found)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timed", action="store_true")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    all_rulesets()
    gc.freeze()  # as in the daemon: what was loaded is never garbage
    found = at_every_table(args.times, args.seed, timed=args.timed)
    where = Counter(fault.partition(": ")[2].partition(": b'")[0] for fault in found.faults)
    for what, times in where.most_common(60):
        example = next(fault for fault in found.faults if what in fault)
        print(f"{times} times: {example}", file=sys.stderr)
    print(msgspec.json.encode(found).decode())
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
