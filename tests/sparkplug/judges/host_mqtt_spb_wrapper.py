"""A SCADA application by mqtt-spb-wrapper: prints what it decodes, one JSON object per line, and does what it reads.

Run by tests/support/running/sparkplug/hosts.py with the library's own folder first on the path. The library decodes a
value by the type in the same message, and leaves names and types of what has only an alias to the application: the
births are kept here.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

from mqtt_spb_wrapper import MqttSpbEntityScada
from mqtt_spb_wrapper.spb_base import SpbPayloadParser


def main(port: str, group: str) -> None:
    ready = threading.Event()
    births: dict[tuple[str, str | None], dict[int, Any]] = {}
    scada = MqttSpbEntityScada(group, "judge")

    def show(topic: Any, payload: dict[str, Any]) -> None:
        metrics = payload.get("metrics", [])
        named = births.setdefault((topic.eon_name, topic.eon_device_name), {})
        if topic.message_type.endswith("BIRTH"):
            named.update({int(metric["alias"]): metric for metric in metrics if "alias" in metric})
        values = {}
        for metric in metrics:
            birth = metric if "name" in metric else named[int(metric["alias"])]
            complete = {**metric, "datatype": birth["datatype"]}
            values[birth["name"]] = SpbPayloadParser()._decode_metric_value(complete)
        print(
            json.dumps(
                {
                    "kind": topic.message_type,
                    "node": topic.eon_name,
                    "device": topic.eon_device_name,
                    "seq": int(payload["seq"]) if "seq" in payload else None,
                    "values": values,
                    "historical": any(metric.get("isHistorical") for metric in metrics),
                },
                default=str,
            ),
            flush=True,
        )

    scada.callback_birth = scada.callback_data = scada.callback_death = show
    scada.on_connect = lambda _rc: ready.set()
    assert scada.connect("127.0.0.1", int(port), skip_death=True)
    assert ready.wait(20)
    print(json.dumps({"kind": "ready"}), flush=True)
    for line in sys.stdin:
        act = json.loads(line)
        scada.send_command(act["name"], act["value"], act["node"])
    scada.disconnect(skip_death_publish=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
