"""The published contract before foreign tools: AsyncAPI's own parser, ajv in strict mode, the TypeScript compiler.

datamodel-code-generator's classes parse every message of all tests (`tests/support/contract_checks.py`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.contract.messages import AlarmDocument, Online
from controller.contract.naming import event_name
from controller.contract.schema import files
from controller.engine.expect.bot import NoAnswer
from controller.journal import JournalReader
from controller.mqtt.envelope import payload
from controller.rules import all_rulesets
from tests.support import generated_models
from tests.support.evidence_journals import play_at_random
from tests.support.journals import JOURNAL_ID, a_device, a_state
from tests.support.project import ROOT
from tests.support.turns import part

HERE = ROOT / "tests" / "contract" / "judges"
INSTALLED = ROOT / "build" / "judges"
NODE = shutil.which("node")
needs_judges = pytest.mark.skipif(
    NODE is None or not (INSTALLED / "installed").exists(),
    reason="the foreign judges of the MQTT contract are missing: deploy/setup-machine.sh tests, with Node and npm",
)


def messages(folder: Path) -> Iterator[tuple[str, Any]]:
    """Messages of real tables, each with the name of its schema."""
    for number, ruleset in enumerate(part(sorted(all_rulesets()), 12)):
        path = folder / f"{number}.journal"
        with suppress(NoAnswer):  # Where the table first waits for its own settings, those events are what there is.
            play_at_random(path, ruleset, seed=number, rounds=2)
        with JournalReader.read(path) as journal:
            for event in journal.events_from(1, journal.head.seq):
                yield event_name(event.kind), json.loads(payload(event, historical=True))
    yield "State", json.loads(a_state("x"))
    yield "Device", json.loads(a_device("shoe", "online"))
    yield "Alarm", msgspec.to_builtins(AlarmDocument(JOURNAL_ID, "s", "t", "a", "raised", "x", 1, None, None, None))
    yield "Online", msgspec.to_builtins(Online(True, "s", JOURNAL_ID, 1))


def judged(folder: Path, recorded: list[tuple[str, Any]], **changed: Any) -> list[str]:
    """What the judges in Node have to say; `changed` documents instead of ours."""
    assert NODE is not None
    for name, content in files().items():
        own = changed.get(name.partition(".")[0])
        (folder / name).write_bytes(content if own is None else json.dumps(own).encode())
    (folder / "messages.json").write_text(json.dumps(recorded))
    done = subprocess.run(
        [NODE, str(HERE / "judge.mjs"), str(folder), str(folder)],
        cwd=INSTALLED,
        capture_output=True,
        text=True,
        check=False,
    )
    return [*done.stdout.splitlines(), *([done.stderr] if done.returncode else [])]


def compiled(folder: Path, program: str) -> str:
    """What the TypeScript compiler says of a program that uses the generated types."""
    (folder / "program.ts").write_text(program)
    tsc = INSTALLED / "node_modules" / ".bin" / "tsc"
    strict = ("--strict", "--noEmit", "--target", "es2022", "--module", "nodenext")
    done = subprocess.run([str(tsc), *strict, "program.ts"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


PROGRAM = """
import type { AnyEvent, AnyState, Reply } from "./contract.js";

export function eventText(message: AnyEvent): string {
  switch (message.kind) {
    case "card_dealt":
      return `${message.body.to} ${message.body.card ?? "face down"}`;
    case "round_settled":
      return String((message.body.bank_net ?? 0) + 1);
    default:
      return message.kind;
  }
}

export const shown = (message: AnyState): string =>
  message.document === "state" ? message.phase : message.document === "alarm" ? message.text : message.journal;

export const why = (reply: Reply): string | undefined => reply.why;
"""


@needs_judges
def test_the_official_parser_ajv_and_the_typescript_compiler_have_nothing_to_say(tmp_path: Path) -> None:
    recorded = list(messages(tmp_path))
    assert len({name for name, _ in recorded}) > 15
    assert judged(tmp_path, recorded) == []
    made = (tmp_path / "contract.ts").read_text()
    for name in json.loads(files()["schema.json"])["$defs"]:
        assert f"export type {name} " in made or f"export interface {name} " in made, name
    assert compiled(tmp_path, PROGRAM) == ""


@needs_judges
def test_the_judges_find_what_is_wrong(tmp_path: Path) -> None:
    document = json.loads(files()["asyncapi.json"])
    document["operations"]["sendEvent"]["channel"]["$ref"] = "#/channels/nowhere"
    schema = json.loads(files()["schema.json"])
    schema["$defs"]["State"]["properties"]["round"]["minimun"] = 3
    state = json.loads(a_state("x"))
    found = judged(tmp_path, [("State", {**state, "phase": "asleep"})], asyncapi=document)
    assert any(line.startswith("asyncapi: ") for line in found)
    assert any(line.startswith("ajv: State: ") for line in found)
    assert any("minimun" in line for line in judged(tmp_path, [], schema=schema))
    assert "card_deal" in compiled(tmp_path, PROGRAM.replace('"card_dealt"', '"card_deal"'))


def test_generated_classes_parse_a_message_by_its_discriminator_and_refuse_a_wrong_one() -> None:
    made = generated_models.models()
    state = made.AnyState.model_validate_json(a_state("x")).root
    assert type(state).__name__ == "State"
    assert generated_models.problem("State", a_state("x")) is None
    assert generated_models.problem("State", a_state("x").replace(b'"document":"state"', b'"document":"stat"'))
    assert generated_models.problem("State", a_state("x").replace(b'"phase":', b'"phrase":'))


def test_the_lock_of_the_judges_has_a_hash_for_every_package_and_names_no_host() -> None:
    lock = json.loads((HERE / "package-lock.json").read_text())
    pins = json.loads((HERE / "package.json").read_text())["dependencies"]
    for name, version in pins.items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    for place, package in lock["packages"].items():
        assert place == "" or package["integrity"].startswith("sha512-"), place
        assert "resolved" not in package
    assert "http" not in (HERE / "package-lock.json").read_text()
