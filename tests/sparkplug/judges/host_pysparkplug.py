"""A host application by pysparkplug: prints what it decodes, one JSON object per line, and does what it reads.

Run by tests/support/running/sparkplug/hosts.py with the library's own folder first on the path.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

import pysparkplug as spb


def show(_client: Any, message: Any) -> None:
    payload = message.payload
    metrics = [payload.bd_seq_metric] if isinstance(payload, spb.NDeath) else getattr(payload, "metrics", ())
    print(
        json.dumps(
            {
                "kind": message.topic.message_type.value,
                "node": message.topic.edge_node_id,
                "device": message.topic.device_id,
                "seq": getattr(payload, "seq", None),
                "values": {metric.name: _plain(metric.value) for metric in metrics},
                "types": {metric.name: metric.datatype.name for metric in metrics},
                "historical": any(metric.is_historical for metric in metrics),
            }
        ),
        flush=True,
    )


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def main(port: str, group: str) -> None:
    client = spb.Client(client_id="judge-pysparkplug")
    ready = threading.Event()
    # Its wildcard topic is spBv1.0/GROUP/#, without STATE.
    client.subscribe(spb.Topic(group_id=group, message_type="#"), spb.QoS.AT_LEAST_ONCE, show)
    client._client.on_subscribe = lambda *_: ready.set()
    client.connect("127.0.0.1", port=int(port))
    assert ready.wait(20)
    print(json.dumps({"kind": "ready"}), flush=True)
    for line in sys.stdin:
        act = json.loads(line)
        if act["do"] == "state":
            topic = spb.Topic(message_type=spb.MessageType.STATE, sparkplug_host_id=act["host"])
            payload: Any = spb.State(timestamp=act["timestamp"], online=act["online"])
            client.publish(spb.Message(topic, payload, spb.QoS.AT_LEAST_ONCE, retain=True))
        else:
            topic = spb.Topic(group_id=group, message_type=spb.MessageType.NCMD, edge_node_id=act["node"])
            datatype = spb.DataType.BOOLEAN if isinstance(act["value"], bool) else spb.DataType.INT64
            now = spb.get_current_timestamp()
            metric = spb.Metric(timestamp=now, name=act["name"], datatype=datatype, value=act["value"])
            payload = spb.NCmd(timestamp=now, metrics=(metric,))
            client.publish(spb.Message(topic, payload, spb.QoS.AT_MOST_ONCE, retain=False), include_dtypes=True)
    client.disconnect()


if __name__ == "__main__":
    main(*sys.argv[1:])
