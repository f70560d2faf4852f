"""Every event of every table of a site, once and in order, whatever the broker or the network does. Needs aiomqtt only.

python consumer.py HOST PORT NAME/ROLE/SITE FOLDER [CA CERT KEY]        prints one JSON line per event

FOLDER keeps where we are in each journal; a journal that does not follow from what we have is ROLLED BACK, and left.
"""

import asyncio
import hashlib
import json
import ssl
import sys
import time
import uuid
from pathlib import Path

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

AT_ONCE = 200  # events of one replay: fewer than the broker queues for a subscriber, or it drops some of these too
LINKS_KEPT = 10_000  # of each journal, to compare repeats with


def report(*words):
    print(*words, file=sys.stderr, flush=True)


class Series:
    """The events of one journal of one table: everything up to `last` is printed; `early` came after a hole."""

    def __init__(self, folder, site, table, journal):
        first = f"cutcard events 1\nsite {site}\ntable {table}\njournal {journal}\n"
        begin = {"last": 0, "link": hashlib.sha256(first.encode()).hexdigest()}
        self.name, self.file = f"{table}, journal {journal}", folder / f"{table}.{journal}.json"
        kept = json.loads(self.file.read_text()) if self.file.exists() else begin
        self.last, self.links = kept["last"], {kept["last"]: kept["link"]}
        self.early, self.newest, self.asked, self.is_left = {}, 0, 0.0, False
        report(f"{self.name}, from event {self.last + 1} on")

    def receive(self, event, payload):
        if self.links.get(event["seq"], event["link"]) != event["link"]:
            self.leave(f"event {event['seq']} was another one before: {payload}")
        elif event["seq"] > self.last and not self.is_left:
            self.early[event["seq"]] = event, payload
        while self.last + 1 in self.early and not self.is_left:
            event, payload = self.early.pop(self.last + 1)
            before = self.links.get(self.last, "")  # not known where the events before it are lost
            link = hashlib.sha256(bytes.fromhex(before) + payload[: payload.rindex(b',"link":')]).hexdigest()
            if before and link != event["link"]:
                self.leave(f"event {event['seq']} does not follow from event {self.last}: {payload}")
                break
            print(json.dumps(event), flush=True)
            self.last, self.links[event["seq"]] = event["seq"], event["link"]
            self.links.pop(self.last - LINKS_KEPT, None)
            self.file.with_suffix(".new").write_text(json.dumps({"last": self.last, "link": event["link"]}))
            self.file.with_suffix(".new").replace(self.file)  # whole or not at all, whenever we are killed

    def leave(self, why):
        if not self.is_left:
            report(f"ROLLED BACK: {self.name}: {why}. Call compliance. Nothing more of this journal is taken.")
        self.is_left = True

    def end_of_hole(self):
        return min(self.early, default=self.newest + 1) - 1


async def follow(me, folder, **broker):
    site, every, now = me.split("/")[2], {}, {}  # all series, and that of each table now
    async with aiomqtt.Client(
        identifier=me, protocol=aiomqtt.ProtocolVersion.V5, clean_start=False, **broker
    ) as client:
        topics = f"cutcard/v2/{site}/+/event/+", f"cutcard/v2/{site}/+/state", f"cutcard/v2/reply/{me}/#"
        await client.subscribe([(topic, 1) for topic in topics])
        async for message in client.messages:
            levels, said = str(message.topic).split("/"), json.loads(message.payload or b"{}")
            table = levels[6] if levels[2] == "reply" else levels[3]
            if "journal" in said:
                key = table, said["journal"]
                series = every[key] = every.get(key) or Series(folder, site, *key)
                if "body" in said:
                    series.receive(said, message.payload)
                else:  # the state, which comes after the events that led to it
                    now[table], series.newest = series, max(series.newest, said["seq"])
            series = now.get(table)
            if series and "ok" in said:  # the end of a replay; where it was refused, ask again later
                series.asked = 0.0 if said["ok"] else time.time()
                if said.get("why") == "not_kept":
                    report(f"LOST: {series.name}, events {series.last + 1} to {series.end_of_hole()}: {said['text']}")
                    series.last = series.end_of_hole()
            if series and not series.is_left and series.last < series.end_of_hole() and series.asked < time.time() - 10:
                series.asked, number = time.time(), uuid.uuid4().hex
                until = min(series.end_of_hole(), series.last + AT_ONCE)
                request = {"id": number, "expires": int(series.asked * 1000) + 60_000, "first": series.last + 1}
                answer = Properties(PacketTypes.PUBLISH)
                answer.ResponseTopic = f"cutcard/v2/reply/{me}/{table}/{number}"
                payload = json.dumps({**request, "last": until})
                await client.publish(f"cutcard/v2/command/{me}/{table}/replay", payload, qos=1, properties=answer)


async def main(host, port, me, folder, *tls):
    session = Properties(PacketTypes.CONNECT)
    session.SessionExpiryInterval = 86400  # the broker queues while we are away
    context = ssl.create_default_context(cafile=tls[0]) if tls else None
    if context:
        context.load_cert_chain(*tls[1:])
    while True:
        try:
            await follow(me, Path(folder), hostname=host, port=int(port), properties=session, tls_context=context)
        except aiomqtt.MqttError as error:
            if asyncio.current_task().cancelling():  # Ctrl-C, while the connection was breaking off
                raise asyncio.CancelledError from None
            report(f"the broker is away: {error}")
            await asyncio.sleep(1)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
