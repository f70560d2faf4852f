"""The transition relation of `delivery.tla`, in Python: the same names, the same guards, the same effects.

>>> state = initial(Size(brokers=1, reports=1))
>>> sorted(name for (name, _), _ in steps(state, Size(brokers=1, reports=1)))
['Apply', 'Connect']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

Entry = tuple[int, int]
"""The number of the report, and the life of the disk."""
Step = tuple[str, int]
"""The name of a step and the broker that it is of; -1: of none."""


@dataclass(frozen=True)
class Size:
    brokers: int = 2
    reports: int = 4
    window: int = 2
    may_roll_back: bool = True


class Broker(NamedTuple):
    """One broker and the table's connection to it."""

    up: bool = False
    sent: int = 0
    received: int = 0
    acked: int = 0
    cursor: int = 0
    got: tuple[Entry, ...] = ()
    looked: bool = False
    head: tuple[int, Entry] | None = None


class State(NamedTuple):
    brokers: tuple[Broker, ...]
    journal: tuple[Entry, ...] = ()
    life: int = 1
    applied: int = 0
    device_ack: int = 0
    stored: tuple[Entry, ...] = ()
    receipt: int = 0
    alarm: bool = False
    evidence_lost: bool = False


def initial(size: Size) -> State:
    return State(tuple(Broker() for _ in range(size.brokers)))


def last_report(state: State) -> int:
    return state.journal[-1][0] if state.journal else 0


def contradicts(state: State, head: tuple[int, Entry] | None) -> bool:
    """Whether this checkpoint is not of the journal."""
    return head is not None and (head[0] > len(state.journal) or state.journal[head[0] - 1] != head[1])


def steps(state: State, size: Size) -> Iterator[tuple[Step, State]]:
    """Everything that may happen now."""
    waiting = state.device_ack + 1
    if state.applied == 0 and state.device_ack < size.reports:
        if waiting > last_report(state):
            yield ("Apply", -1), state._replace(applied=waiting)
        else:
            yield ("Acknowledge", -1), state._replace(device_ack=waiting)
    if state.applied:
        entry = (state.applied, state.life)
        yield ("Commit", -1), state._replace(journal=(*state.journal, entry), applied=0)
        yield ("CommitFails", -1), state._replace(applied=0)
    for at, broker in enumerate(state.brokers):
        yield from _of_broker_and_table(state, at, broker, size)
        for name, after in _of_broker(state, broker, size):
            yield (name, at), state._replace(brokers=(*state.brokers[:at], after, *state.brokers[at + 1 :]))
    crashed = _forgotten(state, [broker.cursor for broker in state.brokers])
    if crashed != state:
        yield ("Crash", -1), crashed
    if size.may_roll_back and state.life == 1:
        for kept in range(len(state.journal)):
            back = _forgotten(state, [min(broker.cursor, kept) for broker in state.brokers])
            yield (
                ("RollBack", -1),
                back._replace(journal=state.journal[:kept], receipt=min(state.receipt, kept), life=2),
            )


def _of_broker(state: State, broker: Broker, size: Size) -> Iterator[tuple[str, Broker]]:
    """What changes nothing but one broker and the connection to it."""
    if not broker.up:
        yield "Connect", broker._replace(up=True, sent=broker.acked, received=broker.acked, looked=False)
    else:
        yield "Lose", broker._replace(up=False, sent=0, received=0, looked=False)
        if broker.sent < len(state.journal) and broker.sent - broker.acked < size.window:
            yield "Send", broker._replace(sent=broker.sent + 1)
        if broker.received < broker.sent:
            seq = broker.received + 1
            got = (*broker.got[: seq - 1], state.journal[seq - 1], *broker.got[seq:])
            yield "Receive", broker._replace(received=seq, got=got)
        if broker.acked < broker.received:
            yield "PubAck", broker._replace(acked=broker.acked + 1)
    for seq in range(broker.cursor + 1, broker.acked + 1):
        yield "WriteCursor", broker._replace(cursor=seq)


def _of_broker_and_table(state: State, at: int, broker: Broker, size: Size) -> Iterator[tuple[Step, State]]:
    def with_broker(after: Broker) -> State:
        return state._replace(brokers=(*state.brokers[:at], after, *state.brokers[at + 1 :]))

    if size.may_roll_back and broker.up and not broker.looked:
        looked = with_broker(broker._replace(looked=True))
        yield ("Look", at), looked._replace(alarm=state.alarm or contradicts(state, broker.head))
    if broker.up and broker.looked and state.journal and broker.sent == len(state.journal):
        head = (len(state.journal), state.journal[-1])
        if head != broker.head:
            lost = contradicts(state, broker.head) and not state.alarm
            after = with_broker(broker._replace(head=head))
            yield ("PublishHead", at), after._replace(evidence_lost=state.evidence_lost or lost)
    if len(state.stored) < len(broker.got) and broker.got[: len(state.stored)] == state.stored:
        yield ("StoreTakes", at), state._replace(stored=(*state.stored, broker.got[len(state.stored)]))
    if broker.up and state.stored:
        count = len(state.stored)
        fits = count <= len(state.journal) and state.journal[count - 1] == state.stored[-1]
        confirmed = state._replace(receipt=count) if fits else state._replace(alarm=True)
        if confirmed != state:
            yield ("Receipt", at), confirmed


def _forgotten(state: State, there: list[int]) -> State:
    """Memory is lost; up to `there` each broker is known to have the events."""
    brokers = tuple(
        broker._replace(up=False, looked=False, sent=0, received=0, acked=cursor, cursor=cursor)
        for broker, cursor in zip(state.brokers, there, strict=True)
    )
    return state._replace(brokers=brokers, applied=0)


# What must hold


def broken(state: State) -> list[str]:
    """The invariants of the model that this state breaks, by their names there."""
    journal, first_life = state.journal, state.life == 1

    def is_prefix(events: tuple[Entry, ...]) -> bool:
        return journal[: len(events)] == events

    holds = {
        "NoReportIsLost": not first_life or state.device_ack <= last_report(state),
        "EachReportOnceInOrder": not first_life or all(entry == (n, 1) for n, entry in enumerate(journal, 1)),
        "NothingIsInvented": not first_life or all(is_prefix(broker.got) for broker in state.brokers),
        "TheCursorIsBehind": all(
            broker.cursor <= broker.acked <= min(len(broker.got), len(journal)) for broker in state.brokers
        ),
        "TheStoreHasWhatWasPublished": not first_life or is_prefix(state.stored),
        "AReceiptIsOfTheJournal": state.receipt <= min(len(journal), len(state.stored))
        and journal[: state.receipt] == state.stored[: state.receipt],
        "ARollbackIsSeen": state.alarm
        or not any(b.up and b.looked and contradicts(state, b.head) for b in state.brokers),
        "NoEvidenceIsLost": not state.evidence_lost,
        "NoFalseAlarm": not (first_life and state.alarm),
    }
    return [name for name, is_so in holds.items() if not is_so]


# The same in numbers, for long traces


class Counts(NamedTuple):
    """One broker while no older disk has come back: what it has are the first events of the journal, so numbers do."""

    up: bool = False
    sent: int = 0
    received: int = 0
    acked: int = 0
    cursor: int = 0
    got: int = 0


def counts(broker: Broker) -> Counts:
    return Counts(broker.up, broker.sent, broker.received, broker.acked, broker.cursor, len(broker.got))


def counted(name: str, broker: Counts, journal: int, window: int, seq: int = 0) -> Counts | None:
    """The broker after this step; None where it may not happen. `seq`: the event that is sent, received, acknowledged,
    or up to which the cursor is written. A test compares this with `steps`."""
    match name:
        case "Connect" if not broker.up:
            return broker._replace(up=True, sent=broker.acked, received=broker.acked)
        case "Lose" if broker.up:
            return broker._replace(up=False, sent=0, received=0)
        case "Send" if broker.up and seq == broker.sent + 1 <= journal and broker.sent - broker.acked < window:
            return broker._replace(sent=seq)
        case "Receive" if broker.up and seq == broker.received + 1 <= broker.sent:
            return broker._replace(received=seq, got=max(broker.got, seq))
        case "PubAck" if broker.up and seq == broker.acked + 1 <= broker.received:
            return broker._replace(acked=seq)
        case "WriteCursor" if broker.cursor < seq <= broker.acked:
            return broker._replace(cursor=seq)
        case "Crash":
            return broker._replace(up=False, sent=0, received=0, acked=broker.cursor)
    return None


def explore(size: Size, most: int | None = None) -> tuple[int, int]:
    """Every state that can be reached: how many, and how many steps away the farthest is. `AssertionError` at one that
    breaks an invariant."""
    seen = {initial(size)}
    edge, depth = [initial(size)], 1
    while edge:
        found = []
        for state in edge:
            for step, after in steps(state, size):
                if after not in seen:
                    assert not broken(after), f"{step} breaks {broken(after)}: {after}"
                    seen.add(after)
                    found.append(after)
        if most is not None and len(seen) > most:
            return len(seen), depth
        edge = found
        depth += bool(found)
    return len(seen), depth
