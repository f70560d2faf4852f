"""Every event of one table, once and in order, whatever the broker or the network does. Needs aiomqtt only.

python consumer.py HOST PORT SITE TABLE CLIENT FILE    prints one JSON line per event; FILE keeps the last seq
"""

import asyncio
import json
import sys
import time
import uuid
from pathlib import Path

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

AT_ONCE = 200  # events of one replay: fewer than the broker queues for a subscriber, or it drops some of these too


def properties(kind, **values):
    made = Properties(kind)
    for name, value in values.items():
        setattr(made, name, value)
    return made


async def follow(host, port, table, me, file):
    base = f"cutcard/v1/{table}"
    command, reply = (f"cutcard/v1/{branch}/{me}/monitor/{table}" for branch in ("command", "reply"))
    last = int(file.read_text()) if file.exists() else 0  # everything up to here is done with
    keep = properties(PacketTypes.CONNECT, SessionExpiryInterval=86400)  # the broker queues while we are away
    v5 = aiomqtt.ProtocolVersion.V5
    async with aiomqtt.Client(host, port, identifier=me, protocol=v5, clean_start=False, properties=keep) as client:
        await client.subscribe([(topic, 1) for topic in (f"{base}/event/#", f"{base}/state", f"{reply}/#")])
        early, newest, asked = {}, 0, None  # events after a hole; the last one known of; when we asked
        async for message in client.messages:
            said = json.loads(message.payload)
            if message.topic.matches(f"{base}/state"):
                newest = max(newest, said["seq"])  # the state comes after the events that led to it
            elif "ok" in said:  # the end of a replay
                asked = None if said["ok"] else time.time()  # refused: ask again later
                if said.get("why") == "not_kept":
                    sys.exit(f"events from {last + 1} on cannot be had: {said['text']}")
            elif said["seq"] > last:  # else it is a repeat
                early[said["seq"]] = said
            while last + 1 in early:
                last += 1
                print(json.dumps(early.pop(last)), flush=True)
                file.with_suffix(".new").write_text(str(last))
                file.with_suffix(".new").replace(file)  # whole or not at all, whenever we are killed
            until = min(early) - 1 if early else newest
            if until > last and (asked is None or asked < time.time() - 10):  # a hole: have it filled
                asked, number = time.time(), uuid.uuid4().hex
                request = {"id": number, "expires": int(asked * 1000) + 60_000, "first": last + 1}
                answer = properties(PacketTypes.PUBLISH, ResponseTopic=f"{reply}/{number}")
                topic = f"{command}/replay"
                payload = json.dumps({**request, "last": min(until, last + AT_ONCE)})
                await client.publish(topic, payload, qos=1, properties=answer)


async def main(arguments):
    host, port, site, table, me, file = arguments
    while True:
        try:
            await follow(host, int(port), f"{site}/{table}", me, Path(file))
        except aiomqtt.MqttError as error:
            print(f"the broker is away: {error}", file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
