"""The published contract: the documents say what the code does, and a stranger's tools can read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from controller.contract.messages import AlarmDocument, Online
from controller.contract.naming import event_name, pascal
from controller.contract.requests import REQUESTS
from controller.contract.schema import FOLDER, definitions, files, json_schema
from controller.contract.why import Why
from controller.engine import events as ev
from controller.operator.roles import COMMANDS, Role, may_command
from tests.support import contract_checks
from tests.support.journals import JOURNAL_ID, a_device, a_state
from tests.support.project import ROOT
from tests.support.refusal_codes import refusal_codes

PAGE = (ROOT / FOLDER / "README.md").read_text()


@pytest.mark.parametrize("name", files())
def test_the_generated_files_are_what_the_types_say(name: str) -> None:
    assert (ROOT / FOLDER / name).read_bytes() == files()[name], "run `python -m controller.contract.schema`"


def test_the_schema_is_a_schema_and_each_of_its_references_leads_somewhere() -> None:
    schema = json_schema()
    jsonschema_rs.meta.validate(schema)
    for name in references(schema):
        assert name.removeprefix("#/$defs/") in schema["$defs"]


def test_each_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    """Whether it is an AsyncAPI document, the official parser says (`test_judges`)."""
    document = json.loads(files()["asyncapi.json"])
    assert document["asyncapi"] == "3.1.0"
    for name in references(document):
        found: Any = document
        for level in name.removeprefix("#/").split("/"):
            found = found[level]
        assert found


def test_every_enumeration_object_and_union_has_a_name_without_dots() -> None:
    """A generator need not invent one: each is a definition, and its title is its name."""
    for place, schemas in {
        "#/$defs": json_schema()["$defs"],
        "#/components/schemas": definitions("#/components/schemas"),
    }.items():
        for name, schema in schemas.items():
            assert re.fullmatch(r"[A-Z][A-Za-z0-9]*", name), (place, name)
            assert schema["title"] == name
            assert not list(nameless({key: value for key, value in schema.items() if key not in WHOLE})), name


WHOLE = ("enum", "anyOf", "oneOf")
"""What a definition itself may be."""


def nameless(schema: Any, *, is_field: bool = False) -> Iterator[Any]:
    """Enumerations, objects with fields and unions inside a definition."""
    match schema:
        case {"properties": fields} if not is_field:
            for field in fields.values():
                yield from nameless(field, is_field=True)
        case {"enum": _} | {"properties": _}:
            yield schema
        case {"anyOf": [*several], **rest}:
            real = [each for each in several if each != {"type": "null"}]
            if len(real) > 1:
                yield schema
            yield from nameless([*real, rest], is_field=True)
        case dict():
            for value in schema.values():
                yield from nameless(value, is_field=True)
        case list():
            for value in schema:
                yield from nameless(value, is_field=True)


def references(document: Any) -> set[str]:
    if isinstance(document, dict):
        own = {document["$ref"]} if isinstance(document.get("$ref"), str) else set()
        return own.union(*(references(value) for value in document.values()))
    if isinstance(document, list):
        return set().union(*(references(value) for value in document))
    return set()


def test_every_event_and_every_command_is_in_the_documents() -> None:
    document = json.loads(files()["asyncapi.json"])
    assert {event_name(kind) for kind in ev.KINDS} == set(document["channels"]["event"]["messages"])
    for command in REQUESTS:
        assert document["channels"][f"command{pascal(command)}"]["address"].endswith(f"/{command}")
        assert document["operations"][f"receive{pascal(command)}"]["reply"]["messages"]


def test_a_field_carries_what_the_code_says_about_it() -> None:
    event = json_schema()["$defs"]["EventCardDealt"]
    assert "test mode" in event["properties"]["test"]["description"]
    assert json_schema()["$defs"]["RequestVoid"]["properties"]["id"]["description"].startswith(
        "The sender's own number"
    )


def test_the_page_lists_every_command_with_its_roles() -> None:
    listed = dict(re.findall(r"^\| `(\w+)` \|[^|]*\|[^|]*\| ([a-z, ]+) \|$", PAGE, re.MULTILINE))
    for command in COMMANDS:
        roles = [str(role) for role in Role if may_command(role, command)]
        assert listed[command] == ("all" if len(roles) == len(Role) else ", ".join(sorted(roles)))


def test_why_has_every_code_with_which_the_program_refuses_and_the_page_lists_it() -> None:
    values = {why.value for why in Why}
    assert refusal_codes() <= values, "add them to controller/contract/why.py and to docs/mqtt/README.md"
    assert len(refusal_codes()) > 90
    assert values - refusal_codes() == {"refused_by_rules", "not_kept"}
    assert set(json_schema()["$defs"]["Why"]["enum"]) == values
    for value in values:
        assert f"`{value}`" in PAGE, value


def test_the_examples_on_the_page_keep_the_contract() -> None:
    event, head, alarm = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))
    assert contract_checks.problem("cutcard/v2/bay101/t7/event/card_dealt", json.dumps(event).encode()) is None
    assert contract_checks.problem("cutcard/v2/bay101/t7/alarm/x", json.dumps(alarm).encode()) is None
    assert contract_checks.problem("cutcard/v2/bay101/t7/head", json.dumps(head).encode()) is None
    request, *_ = (json.loads(text) for text in re.findall(r"^payload +(\{.*\})$", PAGE, re.MULTILINE))
    assert contract_checks.accepts_request("void", request)
    for answer in re.findall(r"^(?:answer|or) +(\{.*\})$", PAGE, re.MULTILINE):
        assert contract_checks.problem("cutcard/v2/reply/pit-desk/floor/bay101/t7/42", answer.encode()) is None


def test_what_the_schemas_do_not_know_is_found() -> None:
    """The hook that looks at every message of the tests has eyes."""
    base = "cutcard/v2/bay101/t7"
    assert contract_checks.problem(f"{base}/state", a_state("x")) is None
    assert contract_checks.problem(f"{base}/device/shoe", a_device("shoe", "online")) is None
    assert contract_checks.problem(f"{base}/state", a_state("x").replace(b'"prompt"', b'"promt"')) is not None
    assert contract_checks.problem(f"{base}/state", b'{"phase":"dealing"}') is not None
    assert contract_checks.problem(f"{base}/online", msgspec.json.encode(Online(True, "s", JOURNAL_ID, 1))) is None
    assert contract_checks.problem(f"{base}/online", b'{"online":true,"session":"s","mood":"good"}') is not None
    assert contract_checks.problem(f"{base}/event/made_up", b"{}") is not None
    assert contract_checks.problem(f"{base}/event/card_dealt", b"not JSON") is not None
    cleared = AlarmDocument(JOURNAL_ID, "s", "t", "a", "cleared", "x", 1, None, None, 2)
    assert contract_checks.problem(f"{base}/alarm/a", msgspec.json.encode(cleared)) is None
    assert contract_checks.problem(f"{base}/alarm/a", b"") is None
    assert contract_checks.problem("cutcard/v2/reply/x/floor/bay101/t7", b'{"id":"1"}') is not None


def test_no_event_holds_money_of_which_the_message_does_not_say_the_currency() -> None:
    schema = json_schema()["$defs"]
    assert all("currency" in schema[event_name(kind)]["required"] for kind in ev.KINDS)
    assert "currency" in schema["State"]["required"]
    assert ev.WagerSet.__struct_fields__ == ("place", "wager", "cents")
