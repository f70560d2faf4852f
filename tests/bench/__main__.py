"""`make bench`: runs everything, prints the table, and writes the figures where `--json` says."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tests.bench import (
    babblers,
    codecs,
    commits,
    crowded,
    floor,
    floor_page,
    floor_stale,
    floor_store,
    footprint,
    latency,
    mqtt_backlog,
    poker,
    rounds,
    wear,
)
from tests.bench.compared import RECORDED, comparison, left_out, recorded
from tests.bench.figures import Figure, report, table
from tests.games.poker.phh.history import History


def main(arguments: list[str] | None = None) -> int:
    chosen = _parser().parse_args(arguments)
    public = poker.public_hands(chosen.hands, chosen.most_hands)
    with tempfile.TemporaryDirectory(dir=chosen.disk) as folder:
        results = report(list(_figures(Path(folder), public, chosen)))
    print(table(results))
    for missing in left_out(chosen):
        print(f"left out for want of {missing}")
    before = recorded()
    if before is not None:
        print(comparison(results, before))
    for file in (chosen.json, RECORDED if chosen.record else None):
        if file is not None:
            file.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")
    return 0


def _figures(folder: Path, public: Sequence[History], chosen: argparse.Namespace) -> Iterator[Figure]:
    yield from rounds.figures(folder, chosen.rounds, chosen.repeats)
    yield from poker.figures(public, chosen.cards, chosen.repeats)
    yield from codecs.figures(chosen.repeats, chosen.idle)
    yield from asyncio.run(commits.figures(folder, chosen.commits))
    yield from wear.figures(folder, chosen.wear)
    yield from asyncio.run(footprint.figures(folder, chosen.starts))
    yield asyncio.run(rounds.durable_rounds(folder, max(1, chosen.commits // commits.INPUTS_A_ROUND)))
    yield asyncio.run(babblers.figure(folder, chosen.babbled))
    yield from asyncio.run(crowded.figures(folder, chosen.acts, chosen.strangers))
    yield from asyncio.run(latency.figures(folder, chosen.latency))
    yield from asyncio.run(mqtt_backlog.figures(folder, chosen.backlog, chosen.repeats))
    yield from asyncio.run(floor.figures(folder, chosen.tables, chosen.table_rounds))
    yield from asyncio.run(floor_store.figures(folder, chosen.stored_tables, max(1, chosen.repeats // 3)))
    yield from asyncio.run(floor_page.figures(folder, chosen.page_states))
    yield from asyncio.run(floor_stale.figures(folder, chosen.stale))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument(
        "--record", action="store_true", help=f"write them into {RECORDED.name}: the next runs are compared with them"
    )
    parser.add_argument("--hands", type=Path, metavar="FOLDER", help="public hand histories in PHH format")
    parser.add_argument("--most-hands", type=int, default=1000, help="how many of them")
    parser.add_argument("--rounds", type=int, default=2000, help="rounds in the journal that is verified")
    parser.add_argument("--cards", type=int, default=20_000, help="seven-card hands to rank")
    parser.add_argument("--commits", type=int, default=1500, help="durable commits")
    parser.add_argument("--repeats", type=int, default=7, help="runs of each contender, in turns")
    parser.add_argument("--idle", type=float, default=10.0, metavar="S", help="seconds to watch an idle daemon")
    parser.add_argument("--wear", type=int, default=300, metavar="N", help="rounds to count the written bytes of")
    parser.add_argument(
        "--starts", type=int, default=5, metavar="N", help="starts of a daemon, each with and without devices"
    )
    parser.add_argument("--latency", type=int, default=400, metavar="N", help="cards to time from wire to subscriber")
    parser.add_argument("--babbled", type=int, default=200, metavar="N", help="cards to deal beside three babblers")
    parser.add_argument("--acts", type=int, default=400, metavar="N", help="acts to time, with a crowd and without")
    parser.add_argument(
        "--strangers", type=int, default=1000, metavar="N", help="half-open connections, and as many stream clients"
    )
    parser.add_argument("--backlog", type=int, default=100_000, metavar="N", help="events that wait for the broker")
    parser.add_argument("--tables", type=int, default=160, help="tables of a cardroom on one broker")
    parser.add_argument("--table-rounds", type=int, default=5, help="rounds that each of them deals")
    parser.add_argument("--stored-tables", type=int, default=16, help="tables whose recorded days are stored")
    parser.add_argument("--page-states", type=int, default=3000, help="states to follow to the floor page's tiles")
    parser.add_argument(
        "--stale", type=float, default=5.0, metavar="S", help="seconds to watch a screen after each failure"
    )
    parser.add_argument("--disk", type=Path, metavar="FOLDER", help="where the journals lie; else the temporary folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())
