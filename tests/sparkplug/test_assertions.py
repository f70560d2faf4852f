"""The specification's assertions (`tck-id-…`, Sparkplug 3.0) that concern an edge node, each checked on captured bytes.

`CHECKS` has a function for each group of assertions; a test has the assertion's id as its name. `NOT_OURS` has those
that do not apply, by the beginning of their ids, with the reason.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

import pytest

from tests.support.running.brokers import needs_mosquitto
from tests.support.running.sparkplug.foreign_hosts import SITE, TABLE
from tests.support.running.sparkplug.traces import HOST, Sent, Trace, play
from tests.support.wire.mqtt_packets import Connect, Disconnect, Publish, Subscribe
from tests.support.wire.sparkplug_payloads import ReadMetric, read_payload

pytestmark = [pytest.mark.broker, needs_mosquitto]

INT64, BOOLEAN = 4, 11
KNOWN_TYPES = {4, 10, 11, 12, 13}
OF_NODE, OF_DEVICE = {"NBIRTH", "NDATA", "NDEATH"}, {"DBIRTH", "DDATA", "DDEATH"}
BASE = f"spBv1.0/{SITE}"


@pytest.fixture(scope="module", params=["5", "3.1.1"])
def trace(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trace:
    version: Literal["5", "3.1.1"] = request.param
    return play(tmp_path_factory.mktemp("evening"), version)


def runs(session: list[Sent]) -> Iterator[list[Sent]]:
    """A session in parts that begin with an NBIRTH; the death at its end is in none."""
    starts = [n for n, message in enumerate(session) if message.kind == "NBIRTH"]
    for first, last in pairwise([*starts, len(session)]):
        yield [message for message in session[first:last] if message.kind != "NDEATH"]


def all_runs(trace: Trace) -> list[list[Sent]]:
    return [run for session in trace.sessions for run in runs(session)]


def topics(trace: Trace) -> None:
    for message in trace.of(*OF_NODE, *OF_DEVICE):
        levels = message.packet.topic.split("/")
        assert levels[:4] == ["spBv1.0", SITE, message.kind, TABLE]
        assert len(levels) == (5 if message.kind in OF_DEVICE else 4)
        assert all(level and not set(level) & set("+#") for level in levels)
    assert {message.kind for message in trace.of(*OF_NODE, *OF_DEVICE)} == OF_NODE | OF_DEVICE


def devices_are_unique(trace: Trace) -> None:
    for run in all_runs(trace):
        alive: set[str] = set()
        for message in run:
            if message.kind == "DBIRTH":
                assert message.device not in alive
                alive.add(message.device)
            elif message.kind == "DDEATH":
                alive.remove(message.device)


def one_node_one_client(trace: Trace) -> None:
    assert {each.connect.client_id for each in trace.connections} == {f"cutcard-{SITE}-{TABLE}"}


def quality_of_service(trace: Trace) -> None:
    for message in trace.of("NBIRTH", "NDATA", "DBIRTH", "DDATA", "DDEATH"):
        assert (message.packet.qos, message.packet.retain) == (0, False)


def sequence(trace: Trace) -> None:
    assert any(len(run) > 256 for run in all_runs(trace)), "the evening is too short to see 255 followed by 0"
    for run in all_runs(trace):
        assert [message.payload.seq for message in run] == [n % 256 for n in range(len(run))]


def timestamps(trace: Trace) -> None:
    for message in trace.of("NBIRTH", "NDATA", "DBIRTH", "DDATA", "DDEATH"):
        assert message.payload.timestamp is not None
        assert trace.began <= message.payload.timestamp <= trace.ended
        for metric in message.payload.metrics:
            assert metric.timestamp is not None and 0 < metric.timestamp <= trace.ended


def births_are_complete(trace: Trace) -> None:
    """Data have only aliases that the last birth of that node or device has named."""
    for run in all_runs(trace):
        aliases: dict[str, set[int | None]] = {}
        for message in run:
            found = {metric.alias for metric in message.payload.metrics}
            if message.kind in {"NBIRTH", "DBIRTH"}:
                aliases[message.device] = found
            elif message.kind != "DDEATH":
                assert found <= aliases[message.device]


def births_have_name_type_and_value(trace: Trace) -> None:
    nulls = 0
    for message in trace.of("NBIRTH", "DBIRTH"):
        for metric in message.payload.metrics:
            assert metric.name and metric.datatype in KNOWN_TYPES
            assert metric.is_null == (metric.value is None)
            nulls += metric.is_null
    assert nulls


def bd_seq_of(data: bytes) -> int:
    metric = read_payload(data).named("bdSeq")
    assert metric.datatype == INT64 and isinstance(metric.value, int)
    return metric.value


def bd_seq(trace: Trace) -> None:
    assert [bd_seq_of(each.connect.will_payload) for each in trace.connections] == list(range(len(trace.connections)))
    for connection in trace.connections:
        for packet in connection.published:
            if "/NBIRTH/" in packet.topic or "/NDEATH/" in packet.topic:
                assert bd_seq_of(packet.payload) == bd_seq_of(connection.connect.will_payload)
    assert len(trace.connections) >= 3


def rebirth_metric(trace: Trace) -> None:
    for message in trace.of("NBIRTH"):
        metric = message.payload.named("Node Control/Rebirth")
        assert (metric.datatype, metric.value, metric.alias) == (BOOLEAN, 0, None)


def changes_only(trace: Trace) -> None:
    """A live value differs from the one before; a historical one changes nothing."""
    historical = 0
    for run in all_runs(trace):
        held: dict[int | None, object] = {}
        for message in run:
            for metric in message.payload.metrics:
                if metric.is_historical:
                    historical += 1
                elif message.kind.endswith("DATA"):
                    assert held[metric.alias] != metric.value, metric
                    held[metric.alias] = metric.value
                else:
                    held[metric.alias] = metric.value
            assert message.payload.metrics or message.kind == "DDEATH"
    assert historical


def chronological(trace: Trace) -> None:
    for message in trace.of("NBIRTH", "NDATA", "DBIRTH", "DDATA"):
        times = [metric.timestamp or 0 for metric in message.payload.metrics if not metric.is_historical]
        assert times == sorted(times)


def will(trace: Trace) -> None:
    for connection in trace.connections:
        connect = connection.connect
        assert (connect.will_topic, connect.will_qos, connect.will_retain) == (f"{BASE}/NDEATH/{TABLE}", 1, False)
        only_bd_seq(connect.will_payload)


def only_bd_seq(data: bytes) -> None:
    payload = read_payload(data)
    assert payload.seq is None and [metric.name for metric in payload.metrics] == ["bdSeq"]


def deaths(trace: Trace) -> None:
    for message in trace.of("NDEATH"):
        only_bd_seq(message.packet.payload)


def ends_with_a_death(trace: Trace) -> None:
    """Every session was ended by us: the death, then the goodbye that the version demands."""
    for connection in trace.connections:
        *_, death, goodbye = connection.packets
        assert isinstance(death, Publish) and death.topic == f"{BASE}/NDEATH/{TABLE}"
        assert goodbye == Disconnect(4 if connection.connect.version == 5 else 0)
    ended = {bd_seq_of(data) for topic, data in trace.delivered if "/NDEATH/" in topic}
    assert ended == set(range(len(trace.connections)))


def clean_sessions(trace: Trace) -> None:
    assert all(each.connect.clean and each.connect.session_expiry == 0 for each in trace.connections)


def subscriptions(trace: Trace) -> None:
    """Before the birth, at QoS 1: commands to the node, and the state of the primary host."""
    for connection in trace.connections:
        connect, subscribe, first, *_ = connection.packets
        assert isinstance(connect, Connect) and isinstance(subscribe, Subscribe) and isinstance(first, Publish)
        assert subscribe.topics == {f"{BASE}/NCMD/{TABLE}": 1, f"spBv1.0/STATE/{HOST}": 1}
        assert "/NBIRTH/" in first.topic


def waits_for_the_host(trace: Trace) -> None:
    """The broker delivered the host's own `online` before each birth; another host's did not count."""
    assert trace.births_before_host == 0
    online, births = 0, 0
    for topic, data in trace.delivered:
        if topic == f"spBv1.0/STATE/{HOST}":
            online += b'"online": true' in data
        elif "/NBIRTH/" in topic:
            births += 1
            assert online
    assert births == 6 and online == 2


def host_goes_offline(trace: Trace) -> None:
    """A late death (1999, after 2000) ended nothing; that of 3000 ended the session, the next waited for 4000."""
    seen = [
        (topic.split("/")[2] if SITE in topic else data.decode())
        for topic, data in trace.delivered
        if "/NBIRTH/" in topic or "/NDEATH/" in topic or topic == f"spBv1.0/STATE/{HOST}"
    ]
    late, offline, back = (next(n for n, each in enumerate(seen) if time in each) for time in ("1999", "3000", "4000"))
    assert "NDEATH" not in seen[late:offline] and seen[late + 1 : offline] == ["NBIRTH", "NBIRTH"]
    assert "NDEATH" in seen[offline:back] and "NBIRTH" not in seen[offline:back]
    assert seen[back + 1 :].count("NBIRTH") == 3


def one_server(trace: Trace) -> None:
    """A connection is over before the next begins: its goodbye is its last packet."""
    for connection in trace.connections:
        assert not connection.is_open and isinstance(connection.packets[-1], Disconnect)


def births_come_first(trace: Trace) -> None:
    """NBIRTH, then the DBIRTH of every device that works, then data."""
    for session in trace.sessions:
        assert session[0].kind == "NBIRTH"
    expected = [["shoe", "sign"], ["shoe"], ["shoe"], ["shoe"], ["shoe"], ["shoe"]]
    for run, devices in zip(all_runs(trace), expected, strict=True):
        assert [(each.kind, each.device) for each in run[1 : 1 + len(devices)]] == [("DBIRTH", d) for d in devices]


def device_deaths(trace: Trace) -> None:
    """Offline once and removed once; nothing of the device between its death and its next birth."""
    assert [message.device for message in trace.of("DDEATH")] == ["sign", "sign"]
    for message in trace.of("DDEATH"):
        assert message.payload.seq is not None and not message.payload.metrics
    for run in all_runs(trace):
        alive: set[str] = set()
        for message in run:
            if message.kind == "DBIRTH":
                alive.add(message.device)
            elif message.device:
                assert message.device in alive
                if message.kind == "DDEATH":
                    alive.remove(message.device)


def rebirth(trace: Trace) -> None:
    """After the request: NBIRTH at once, all DBIRTHs, the same bdSeq. A DCMD and another NCMD changed nothing."""
    first = trace.sessions[0]
    assert [message.kind for message in first[trace.rebirth_at :]] == ["NBIRTH", "DBIRTH", "NDEATH"]
    assert bd_seq_of(first[trace.rebirth_at].packet.payload) == bd_seq_of(first[0].packet.payload)
    assert [message.kind for message in first].count("NBIRTH") == 3


def aliases_are_unique(trace: Trace) -> None:
    for run in all_runs(trace):
        latest = {message.device: message for message in run if message.kind in {"NBIRTH", "DBIRTH"}}
        found = [metric.alias for message in latest.values() for metric in message.payload.metrics if metric.alias]
        assert len(found) == len(set(found))


def births_have_aliases(trace: Trace) -> None:
    for message in trace.of("NBIRTH", "DBIRTH"):
        for metric in message.payload.metrics:
            assert metric.name and (metric.alias is not None or metric.name == "Node Control/Rebirth")


def data_metrics(trace: Trace) -> list[ReadMetric]:
    return [metric for message in trace.of("NDATA", "DDATA") for metric in message.payload.metrics]


def data_have_aliases_alone(trace: Trace) -> None:
    assert data_metrics(trace)
    assert all(metric.alias is not None and metric.name is None for metric in data_metrics(trace))


def data_have_no_types(trace: Trace) -> None:
    assert all(metric.datatype is None for metric in data_metrics(trace))


def names_differ(trace: Trace) -> None:
    for message in trace.of("NBIRTH", "DBIRTH"):
        names = [(metric.name or "").lower() for metric in message.payload.metrics]
        assert len(names) == len(set(names))
    assert all(message.packet.topic.rpartition("/")[2].islower() for message in trace.of("DBIRTH"))


Check = Callable[[Trace], None]
CHECKS: dict[Check, str] = {
    changes_only: """principles-rbe-recommended topics-ndata-payload topics-ddata-payload
        operational-behavior-data-publish-nbirth-change operational-behavior-data-publish-dbirth-change""",
    births_come_first: """principles-birth-certificates-order payloads-dbirth-order payloads-ndata-order
        payloads-ddata-order message-flow-device-birth-publish-nbirth-wait
        message-flow-edge-node-birth-publish-connect""",
    clean_sessions: "principles-persistence-clean-session-311 principles-persistence-clean-session-50",
    topics: """topic-structure topic-structure-namespace-a topic-structure-namespace-valid-group-id
        topic-structure-namespace-valid-edge-node-id topic-structure-namespace-valid-device-id
        topic-structure-namespace-device-id-associated-message-types
        topic-structure-namespace-device-id-non-associated-message-types topics-nbirth-topic topics-ndata-topic
        topics-ndeath-topic topics-dbirth-topic topics-ddata-topic topics-ddeath-topic
        message-flow-edge-node-birth-publish-nbirth-topic message-flow-edge-node-birth-publish-nbirth-payload
        message-flow-device-birth-publish-dbirth-topic message-flow-device-birth-publish-dbirth-match-edge-node-topic
        message-flow-device-birth-publish-dbirth-payload""",
    devices_are_unique: "topic-structure-namespace-unique-device-id",
    one_node_one_client: """topic-structure-namespace-unique-edge-node-descriptor
        payloads-nbirth-edge-node-descriptor""",
    quality_of_service: """topics-nbirth-mqtt topics-ndata-mqtt topics-dbirth-mqtt topics-ddata-mqtt topics-ddeath-mqtt
        message-flow-edge-node-birth-publish-nbirth-qos message-flow-edge-node-birth-publish-nbirth-retained
        message-flow-device-birth-publish-dbirth-qos message-flow-device-birth-publish-dbirth-retained
        payloads-nbirth-qos payloads-nbirth-retain payloads-dbirth-qos payloads-dbirth-retain payloads-ndata-qos
        payloads-ndata-retain payloads-ddata-qos payloads-ddata-retain""",
    sequence: """topics-nbirth-seq-num topics-ndata-seq-num topics-dbirth-seq topics-ddata-seq-num
        topics-ddeath-seq-num message-flow-edge-node-birth-publish-nbirth-payload-seq
        message-flow-device-birth-publish-dbirth-payload-seq payloads-sequence-num-always-included
        payloads-sequence-num-req-nbirth payloads-sequence-num-incrementing payloads-nbirth-seq payloads-dbirth-seq
        payloads-dbirth-seq-inc payloads-ndata-seq payloads-ndata-seq-inc payloads-ddata-seq payloads-ddata-seq-inc
        payloads-ddeath-seq payloads-ddeath-seq-inc""",
    timestamps: """topics-nbirth-timestamp topics-ndata-timestamp topics-dbirth-timestamp topics-ddata-timestamp
        payloads-timestamp-in-UTC payloads-name-birth-data-requirement
        payloads-metric-timestamp-in-UTC payloads-nbirth-timestamp payloads-dbirth-timestamp
        payloads-ndata-timestamp payloads-ddata-timestamp payloads-ddeath-timestamp""",
    births_are_complete: """topics-nbirth-metric-reqs topics-dbirth-metric-reqs
        operational-behavior-data-publish-nbirth operational-behavior-data-publish-dbirth""",
    births_have_name_type_and_value: """topics-nbirth-metrics topics-dbirth-metrics
        operational-behavior-data-publish-nbirth-values operational-behavior-data-publish-dbirth-values
        payloads-metric-datatype-value-type payloads-metric-datatype-value payloads-metric-datatype-req""",
    bd_seq: """topics-nbirth-bdseq-included topics-nbirth-bdseq-matching topics-nbirth-bdseq-increment
        message-flow-edge-node-birth-publish-will-message-payload-bdSeq
        message-flow-edge-node-birth-publish-nbirth-payload-bdSeq payloads-nbirth-bdseq payloads-nbirth-bdseq-repeat
        payloads-ndeath-bdseq""",
    rebirth_metric: """topics-nbirth-rebirth-metric payloads-nbirth-rebirth-req
        operational-behavior-data-commands-rebirth-name operational-behavior-data-commands-rebirth-name-aliases
        operational-behavior-data-commands-rebirth-datatype operational-behavior-data-commands-rebirth-value""",
    chronological: """operational-behavior-data-publish-nbirth-order
        operational-behavior-data-publish-dbirth-order""",
    will: """message-flow-edge-node-birth-publish-will-message message-flow-edge-node-birth-publish-will-message-topic
        message-flow-edge-node-birth-publish-will-message-payload message-flow-edge-node-birth-publish-will-message-qos
        message-flow-edge-node-birth-publish-will-message-will-retained payloads-ndeath-will-message
        payloads-ndeath-will-message-qos payloads-ndeath-will-message-retain""",
    deaths: "topics-ndeath-payload topics-ndeath-seq payloads-ndeath-seq",
    ends_with_a_death: """operational-behavior-edge-node-intentional-disconnect-ndeath
        operational-behavior-edge-node-intentional-disconnect-packet payloads-ndeath-will-message-publisher
        payloads-ndeath-will-message-publisher-disconnect-mqtt311
        payloads-ndeath-will-message-publisher-disconnect-mqtt50""",
    subscriptions: "message-flow-edge-node-ncmd-subscribe topics-ncmd-topic",
    waits_for_the_host: """message-flow-edge-node-birth-publish-phid-wait
        message-flow-edge-node-birth-publish-phid-wait-id message-flow-edge-node-birth-publish-phid-wait-online
        operational-behavior-edge-node-birth-sequence-wait""",
    host_goes_offline: """message-flow-edge-node-birth-publish-phid-wait-timestamp
        message-flow-edge-node-birth-publish-phid-offline operational-behavior-edge-node-termination-host-offline
        operational-behavior-edge-node-termination-host-offline-reconnect
        operational-behavior-edge-node-termination-host-offline-timestamp""",
    one_server: "operational-behavior-primary-application-state-with-multiple-servers-single-server",
    device_deaths: "operational-behavior-device-ddeath payloads-ddeath-seq-number",
    rebirth: """operational-behavior-data-commands-rebirth-action-1
        operational-behavior-data-commands-rebirth-action-2 operational-behavior-data-commands-rebirth-action-3""",
    aliases_are_unique: "payloads-alias-uniqueness",
    births_have_aliases: "payloads-alias-birth-requirement payloads-name-requirement",
    data_have_aliases_alone: "payloads-alias-data-cmd-requirement",
    data_have_no_types: "payloads-metric-datatype-not-req",
    names_differ: "case-sensitivity-sparkplug-ids case-sensitivity-metric-names",
}

NOT_OURS = {
    "host-topic-*": "of a host application",
    "message-flow-phid-*": "of a host application",
    "message-flow-hid-*": "of a host application",
    "operational-behavior-host-*": "of a host application",
    "operational-behavior-edge-node-termination-host-action-*": "what a host does with a death",
    "payloads-state-*": "of a host application: its STATE",
    "topics-ncmd-mqtt topics-ncmd-timestamp topics-ncmd-payload": "of the host that sends a command",
    "payloads-ncmd-* payloads-name-cmd-requirement": "of the host that sends a command",
    "topics-dcmd-* payloads-dcmd-*": "of the host that sends a command; no device of ours takes one",
    "message-flow-device-dcmd-subscribe": "for devices with outputs to write: none of ours has one",
    "operational-behavior-data-commands-ncmd-* operational-behavior-data-commands-dcmd-*": "of the host",
    "operational-behavior-primary-application-state-with-multiple-servers-state*": "of a host with several servers",
    "operational-behavior-primary-application-state-with-multiple-servers-walk": "we have one server in the list",
    "topic-structure-namespace-duplicate-device-id-across-edge-node": "a permission",
    "topics-nbirth-templates payloads-template-*": "we send no templates",
    "payloads-dataset-*": "we send no data sets",
    "payloads-propertyset-* payloads-metric-propertyvalue-*": "we send no properties",
}

CHECKED = {name: check for check, names in CHECKS.items() for name in names.split()}


@pytest.mark.parametrize("name", [pytest.param(name, id=f"tck-id-{name}") for name in CHECKED])
def test_the_edge_node_keeps(trace: Trace, name: str) -> None:
    CHECKED[name](trace)


def test_no_assertion_is_both_checked_and_not_ours() -> None:
    assert sum(len(names.split()) for names in CHECKS.values()) == len(CHECKED)
    for patterns in NOT_OURS:
        for pattern in patterns.split():
            assert not fnmatch.filter(CHECKED, pattern), pattern
