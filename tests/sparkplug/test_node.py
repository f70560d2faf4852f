"""The parts of the Sparkplug bridge that need no broker."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from controller.contract.messages import DeviceDocument, Envelope, LastRound, StateDocument
from controller.errors import UserError
from controller.sparkplug.birth_numbers import BirthNumbers
from controller.sparkplug.node import EdgeNode, Message
from controller.sparkplug.payload import DataType
from controller.sparkplug.samples import Sample, of_state
from tests.support.running.sparkplug.foreign_hosts import filled
from tests.support.wire.sparkplug_payloads import ReadPayload, read_payload


def numbers(path: Path, node: str, times: int) -> list[int]:
    births = BirthNumbers(path)
    try:
        return [births.next(node) for _ in range(times)]
    finally:
        births.close()


def test_birth_numbers_go_on_after_a_restart_and_begin_again_after_255(tmp_path: Path) -> None:
    path = tmp_path / "births.json"
    assert numbers(path, "bay101/t-1", 3) == [0, 1, 2]
    assert numbers(path, "bay101/t-2", 1) == [0]
    assert numbers(path, "bay101/t-1", 254)[-2:] == [255, 0]


def test_a_state_file_that_cannot_be_read_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "births.json"
    path.write_text("{")
    with pytest.raises(UserError, match="could be used twice"):
        BirthNumbers(path)
    assert path.read_text() == "{"


def test_a_command_to_write_a_hundred_thousand_things_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    node = EdgeNode("bay101", "t-1", lambda: 0)
    assert node.command(b"\x12\x03\x0a\x01x" * 100_000) == []
    assert len(caplog.records) == 1


def test_metrics_follow_the_types_of_the_document() -> None:
    samples = of_state(filled(StateDocument, fees_due={"main": 1250}, last=LastRound(outcome="tie", bank_net=-300)))
    assert samples["state/fees_due/main"] == Sample(DataType.INT64, 1250)
    assert samples["state/last/bank_net"] == Sample(DataType.INT64, -300)
    assert samples["state/last/outcome"] == Sample(DataType.STRING, "tie")
    assert samples["state/open"] == Sample(DataType.BOOLEAN, False)
    assert not {"state/site", "state/devices", "state/hands", "state/wants"} & samples.keys()


def test_a_structure_that_is_null_has_its_metrics_all_the_same() -> None:
    without, with_last = (of_state(filled(StateDocument, last=last)) for last in (None, LastRound()))
    assert without.keys() == with_last.keys()
    assert without["state/last/bank_net"] == Sample(DataType.INT64, None)


def born() -> tuple[EdgeNode, list[ReadPayload]]:
    node = EdgeNode("bay101", "t-1", lambda: 1000)
    node.take_state(filled(StateDocument, last=LastRound(bank_net=-300)))
    node.connect(7)
    return node, payloads(node.births())


def payloads(messages: list[Message]) -> list[ReadPayload]:
    return [read_payload(message.payload) for message in messages]


def event(seq: int, *, historical: bool = False) -> Envelope:
    return filled(
        Envelope, seq=seq, kind="card_dealt", at=500 + seq, body=msgspec.Raw(b"{}"), historical=historical, round=1
    )


def test_a_negative_amount_is_twos_complement() -> None:
    _, (birth,) = born()
    assert birth.named("state/last/bank_net").value == 2**64 - 300


def test_nothing_is_published_before_the_birth_and_after_the_death() -> None:
    node = EdgeNode("bay101", "t-1", lambda: 1000)
    device = filled(DeviceDocument, device="shoe", state="online")
    assert node.take_state(filled(StateDocument)) == [] and node.take_device(device) == []
    node.connect(0)
    assert [message.topic.split("/")[2] for message in node.births()] == ["NBIRTH", "DBIRTH"]
    node.death()
    assert node.take_state(filled(StateDocument, round=5)) == [] and node.command(b"") == []


def test_events_without_a_session_are_kept_up_to_a_bound_and_sent_as_history() -> None:
    node = EdgeNode("bay101", "t-1", lambda: 1000)
    node.take_state(filled(StateDocument))
    for seq in range(1, 1500):
        assert node.take_event(event(seq)) == []
    node.connect(0)
    birth, *past = payloads(node.births())
    assert birth.named("event/seq").value == 1499 and len(past) == 999
    assert all(metric.is_historical for each in past for metric in each.metrics)
    assert past[0].metrics[0].timestamp == 1000  # event 500 happened then


@pytest.mark.parametrize("data", [b"\xff\xff", b"", b"\x12\x00"])
def test_a_command_that_is_no_rebirth_changes_nothing(data: bytes) -> None:
    node, _ = born()
    assert node.command(data) == []


def test_devices_of_a_table_are_bounded() -> None:
    node, _ = born()
    births = [
        message
        for n in range(150)
        for message in node.take_device(filled(DeviceDocument, device=f"d{n}", state="online"))
    ]
    assert len(births) == 100


def test_mistakes_on_the_command_line_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "births.json")
    assert main(["sparkplug", "--state", state, "--primary-host", "a/b"]) == 2
    assert main(["sparkplug", "--state", state, "--site", "Bay 101"]) == 2
    assert main(["sparkplug", "--state", state, "--to-password-file", str(tmp_path / "none")]) == 2
    printed = capsys.readouterr().err
    assert "not the id of a host" in printed and "not the name of a site" in printed and "password file" in printed
