// Every event of every table of a site, once and in order, whatever the broker or the network does. Needs `mqtt` only.
//
//   node consumer.mjs HOST PORT NAME/ROLE/SITE FOLDER [CA CERT KEY]       prints one JSON line per event
//
// FOLDER keeps where we are in each journal; a journal that does not follow from what we have is ROLLED BACK, and left.

import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import mqtt from "mqtt";

const AT_ONCE = 200; // events of one replay: fewer than the broker queues for a subscriber, or it drops some of these too
const LINKS_KEPT = 10_000; // of each journal, to compare repeats with
const [host, port, me, folder, ca, cert, key] = process.argv.slice(2);
const site = me.split("/")[2];
const every = new Map(), now = new Map(); // all series, and that of each table now

/** The events of one journal of one table: everything up to `last` is printed; `early` came after a hole. */
class Series {
  constructor(table, journal) {
    this.name = `${table}, journal ${journal}`;
    this.file = join(folder, `${table}.${journal}.json`);
    const first = `cutcard events 1\nsite ${site}\ntable ${table}\njournal ${journal}\n`;
    const begin = { last: 0, link: createHash("sha256").update(first).digest("hex") };
    const kept = existsSync(this.file) ? JSON.parse(readFileSync(this.file)) : begin;
    Object.assign(this, { last: kept.last, links: new Map([[kept.last, kept.link]]), early: new Map() });
    Object.assign(this, { newest: 0, asked: 0, isLeft: false });
    console.error(`${this.name}, from event ${this.last + 1} on`);
  }

  receive(event, payload) {
    const known = this.links.get(event.seq);
    if (known && known !== event.link) return this.leave(`event ${event.seq} was another one before: ${payload}`);
    if (event.seq > this.last && !this.isLeft) this.early.set(event.seq, [event, payload]);
    for (let next; !this.isLeft && (next = this.early.get(this.last + 1)); ) {
      const [event, payload] = next, before = this.links.get(this.last); // not known where those before it are lost
      const chained = payload.subarray(0, payload.lastIndexOf(',"link":'));
      const link = before && createHash("sha256").update(before, "hex").update(chained).digest("hex");
      if (before && link !== event.link)
        return this.leave(`event ${event.seq} does not follow from event ${this.last}: ${payload}`);
      process.stdout.write(JSON.stringify(event) + "\n");
      this.early.delete(event.seq);
      this.links.set((this.last = event.seq), event.link).delete(this.last - LINKS_KEPT);
      writeFileSync(this.file + ".new", JSON.stringify({ last: this.last, link: event.link }));
      renameSync(this.file + ".new", this.file); // whole or not at all, whenever we are killed
    }
  }

  leave(why) {
    if (!this.isLeft)
      console.error(`ROLLED BACK: ${this.name}: ${why}. Call compliance. Nothing more of this journal is taken.`);
    this.isLeft = true;
  }

  get endOfHole() {
    return this.early.size ? Math.min(...this.early.keys()) - 1 : this.newest;
  }
}

function received(topic, payload) {
  const levels = topic.split("/"), said = payload.length ? JSON.parse(payload) : {};
  const table = levels[2] === "reply" ? levels[6] : levels[3];
  if (said.journal) {
    const id = `${table} ${said.journal}`;
    if (!every.has(id)) every.set(id, new Series(table, said.journal));
    if (said.body) every.get(id).receive(said, payload);
    else now.set(table, Object.assign(every.get(id), { newest: Math.max(every.get(id).newest, said.seq) })); // the state
  }
  const series = now.get(table);
  if (series && "ok" in said) { // the end of a replay; where it was refused, ask again later
    series.asked = said.ok ? 0 : Date.now();
    if (said.why === "not_kept") {
      console.error(`LOST: ${series.name}, events ${series.last + 1} to ${series.endOfHole}: ${said.text}`);
      series.last = series.endOfHole;
    }
  }
  if (!series || series.isLeft || series.last >= series.endOfHole || series.asked > Date.now() - 10_000) return;
  series.asked = Date.now();
  const id = randomUUID(), last = Math.min(series.endOfHole, series.last + AT_ONCE);
  const request = { id, expires: series.asked + 60_000, first: series.last + 1, last };
  const properties = { responseTopic: `cutcard/v2/reply/${me}/${table}/${id}` };
  client.publish(`cutcard/v2/command/${me}/${table}/replay`, JSON.stringify(request), { qos: 1, properties });
}

const tls = ca ? { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) } : {};
const session = { protocolVersion: 5, clean: false, properties: { sessionExpiryInterval: 86400 } }; // queues while away
const client = mqtt.connect({ protocol: ca ? "mqtts" : "mqtt", host, port: Number(port), clientId: me, ...session, ...tls });
const topics = [`cutcard/v2/${site}/+/event/+`, `cutcard/v2/${site}/+/state`, `cutcard/v2/reply/${me}/#`];
client.on("connect", () => client.subscribe(topics, { qos: 1 }));
client.on("message", received);
client.on("error", (error) => console.error(`the broker is away: ${error.message}`));
client.on("offline", () => console.error("the broker is away"));
