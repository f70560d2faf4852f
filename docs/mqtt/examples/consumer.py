"""Every event of one table, once and in order, whatever the broker or the network does. Needs aiomqtt only.

python consumer.py HOST PORT SITE TABLE CLIENT FILE    prints one JSON line per event; FILE keeps where we are

It checks the public chain: an event that does not follow from the one before it ends the program with "ROLLED BACK".
"""

import asyncio
import hashlib
import json
import sys
import time
import uuid
from pathlib import Path

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

AT_ONCE = 200  # events of one replay: fewer than the broker queues for a subscriber, or it drops some of these too
LINKS_KEPT = 10_000  # to compare repeats with


def properties(kind, **values):
    made = Properties(kind)
    for name, value in values.items():
        setattr(made, name, value)
    return made


class Series:
    """The events of one journal: everything up to `last` is done with."""

    def __init__(self, site, table, journal, last=0, link=None):
        first = f"cutcard events 1\nsite {site}\ntable {table}\njournal {journal}\n"
        self.journal, self.last = journal, last
        self.links = {last: link or hashlib.sha256(first.encode()).hexdigest()}

    def take(self, said, payload):
        """The next event."""
        chained = payload[: payload.rindex(b',"link":')]
        link = hashlib.sha256(bytes.fromhex(self.links[self.last]) + chained).hexdigest()
        if link != said["link"]:
            sys.exit(f"ROLLED BACK: event {said['seq']} does not follow from event {self.last}: {payload}")
        self.last += 1
        self.links[self.last] = link
        self.links.pop(self.last - LINKS_KEPT, None)

    def compare(self, said, payload):
        """A repeat."""
        if self.links.get(said["seq"], said["link"]) != said["link"]:
            sys.exit(f"ROLLED BACK: event {said['seq']} was another one before: {payload}")


def kept(file, site, table):
    return Series(site, table, **json.loads(file.read_text())) if file.exists() else None


def keep(file, series):
    where = {"journal": series.journal, "last": series.last, "link": series.links[series.last]}
    file.with_suffix(".new").write_text(json.dumps(where))
    file.with_suffix(".new").replace(file)  # whole or not at all, whenever we are killed


async def follow(broker, site, table, me, file):
    host, port = broker
    base, series = f"cutcard/v2/{site}/{table}", kept(file, site, table)
    command, reply = (f"cutcard/v2/{branch}/{me}/monitor/{site}/{table}" for branch in ("command", "reply"))
    session = properties(PacketTypes.CONNECT, SessionExpiryInterval=86400)  # the broker queues while we are away
    v5 = aiomqtt.ProtocolVersion.V5
    async with aiomqtt.Client(host, port, identifier=me, protocol=v5, clean_start=False, properties=session) as client:
        await client.subscribe([(topic, 1) for topic in (f"{base}/event/#", f"{base}/state", f"{reply}/#")])
        early, newest, asked = {}, 0, None  # events after a hole; the last one known of; when we asked
        async for message in client.messages:
            said = json.loads(message.payload)
            if "journal" in said and (series is None or said["journal"] != series.journal):
                if series is not None:
                    print(f"a new journal begins: {said['journal']}, after {series.journal}", file=sys.stderr)
                    file.replace(f"{file}.{series.journal}")
                series, early, newest, asked = Series(site, table, said["journal"]), {}, 0, None
                keep(file, series)
            if message.topic.matches(f"{base}/state"):
                newest = max(newest, said["seq"])  # the state comes after the events that led to it
            elif "ok" in said:  # the end of a replay
                asked = None if said["ok"] else time.time()  # refused: ask again later
                if said.get("why") == "not_kept":
                    sys.exit(f"events from {series.last + 1} on cannot be had: {said['text']}")
            elif said["seq"] > series.last:
                early[said["seq"]] = said, message.payload
            else:
                series.compare(said, message.payload)
            while series is not None and series.last + 1 in early:
                event, payload = early.pop(series.last + 1)
                series.take(event, payload)
                print(json.dumps(event), flush=True)
                keep(file, series)
            last = series.last if series else 0
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
            await follow((host, int(port)), site, table, me, Path(file))
        except aiomqtt.MqttError as error:
            print(f"the broker is away: {error}", file=sys.stderr)
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
