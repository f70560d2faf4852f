"""How often somebody may be wrong at a sign-in: delays by client and by person, kept over a restart.

A client is the address of a browser, a key panel, or the board itself. Wrong tries are counted

    for a name at one client     5, then a wait
    for all names at one client  20, then a wait; wrong badges have a count of their own
    for a person, over all clients where that person has not signed in before: 10; for all badges there: 100

The client learns of every wait, except the last kind: there the right PIN gets the answer of a wrong one. So what a
client learns depends on its own tries alone, never on whether there is such a person. A person who has signed in at a
client before is not held up there by what strangers do elsewhere; at a key panel and on the board nobody is.

The first wait is a minute, and every further wrong try doubles it, up to 15 minutes. A day without a wrong try forgets
a count. What was typed is kept as a keyed hash: it may be half a PIN. Times are the loop's. After a restart what was
left of a wait begins again: a wait never depends on the board's clock.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.durable_files import replace_file

log = logging.getLogger(__name__)

FILE = "sign-in-tries.json"
BOARD = "board"
"""The client of programs and screens on the board itself."""
PANEL = "panel:"
"""What the client of a key panel begins with; its name follows."""
AT_A_NAME, AT_A_CLIENT, AT_A_PERSON, AT_ALL_BADGES = 5, 20, 10, 100
"""Wrong tries before the first wait."""
FIRST_WAIT_S, LONGEST_WAIT_S = 60.0, 15 * 60.0
FORGOTTEN_AFTER_S = 24 * 3600.0
MOST_CLIENTS = 256
MOST_NAMES = 24
"""Of one client, newest last: it has waited for the others already."""
MOST_FAMILIAR = 32


class _Count(Struct, omit_defaults=True):
    """Wrong tries in a row; in the file both times are counted from its writing."""

    wrong: int = 0
    until: float = 0.0
    last: float = 0.0

    def add(self, now: float, free: int) -> float:
        """One more wrong try; returns the wait that begins, or 0."""
        self.wrong += 1
        self.last = now
        if self.wrong < free:
            return 0.0
        wait = min(FIRST_WAIT_S * 2.0 ** min(self.wrong - free, 10), LONGEST_WAIT_S)
        self.until = now + wait
        return wait

    def is_over(self, now: float) -> bool:
        return now >= self.until and now - self.last >= FORGOTTEN_AFTER_S

    def moved(self, by: float) -> _Count:
        return _Count() if not self.wrong else replace(self, until=self.until + by, last=self.last + by)


class _Client(Struct, omit_defaults=True):
    pins: _Count = msgspec.field(default_factory=_Count)
    badges: _Count = msgspec.field(default_factory=_Count)
    names: dict[str, _Count] = msgspec.field(default_factory=dict)
    """By keyed hash of what was typed."""
    familiar: list[str] = msgspec.field(default_factory=list)
    """Who has signed in here, newest last."""

    def moved(self, by: float) -> _Client:
        names = {key: count.moved(by) for key, count in self.names.items()}
        return _Client(self.pins.moved(by), self.badges.moved(by), names, list(self.familiar))


class _Counts(Struct, omit_defaults=True):
    """The file."""

    key: str
    clients: dict[str, _Client] = {}
    """Used last, last."""
    people: dict[str, _Count] = {}
    badges: _Count = msgspec.field(default_factory=_Count)

    def moved(self, by: float) -> _Counts:
        clients = {name: client.moved(by) for name, client in self.clients.items()}
        people = {name: count.moved(by) for name, count in self.people.items()}
        return _Counts(self.key, clients, people, self.badges.moved(by))


class SignInLimits:
    """The counts of one table, in a file of its data folder."""

    def __init__(self, file: Path, now: Callable[[], float]) -> None:
        self._file, self._now = file, now
        self._counts = _read(file).moved(now())

    def pin_wait(self, client: str, typed: str) -> float:
        """Seconds until this client may try a PIN for what was typed; 0: now."""
        known = self._counts.clients.get(client)
        if known is None:
            return 0.0
        name = known.names.get(self._hash(typed), _Count())
        return max(0.0, max(known.pins.until, name.until) - self._now())

    def badge_wait(self, client: str) -> float:
        known = self._counts.clients.get(client)
        return 0.0 if known is None else max(0.0, known.badges.until - self._now())

    def is_familiar(self, client: str) -> bool:
        """Whether anybody has signed in there before."""
        known = self._counts.clients.get(client)
        return _is_at_table(client) or (known is not None and bool(known.familiar))

    def withholds_pin(self, client: str, name: str) -> bool:
        """Whether even the right PIN of this person is refused here, because of wrong ones elsewhere."""
        count = self._counts.people.get(name)
        return count is not None and self._now() < count.until and not self._knows(client, name)

    def withholds_badge(self, client: str, name: str) -> bool:
        return self._now() < self._counts.badges.until and not self._knows(client, name)

    def wrong_pin(self, client: str, typed: str, name: str | None) -> tuple[float, bool]:
        """Count it. `name`: the person's, if there is one. Returns the client's wait, and whether any wait began."""
        now, known, typed = self._now(), self._use(client), self._hash(typed)
        count = known.names.pop(typed, None) or _Count()
        known.names[typed] = count
        while len(known.names) > MOST_NAMES:
            del known.names[next(iter(known.names))]
        wait = max(count.add(now, AT_A_NAME), known.pins.add(now, AT_A_CLIENT))
        elsewhere = 0.0
        if name is not None and not self._knows(client, name):
            elsewhere = self._counts.people.setdefault(name, _Count()).add(now, AT_A_PERSON)
        return wait, bool(wait or elsewhere)

    def wrong_badge(self, client: str) -> tuple[float, bool]:
        now, known = self._now(), self._use(client)
        wait = known.badges.add(now, AT_A_CLIENT)
        elsewhere = 0.0 if self.is_familiar(client) else self._counts.badges.add(now, AT_ALL_BADGES)
        return wait, bool(wait or elsewhere)

    def right(self, client: str, name: str, typed: str | None) -> bool:
        """Somebody signed in; `typed`: the name with a PIN, None with a badge. Returns whether a count changed."""
        known = self._use(client)
        before = msgspec.json.encode(known)
        if not self._knows(client, name):
            self._counts.people.pop(name, None)
        if typed is None:
            known.badges = _Count()
        else:
            known.pins = _Count()
            known.names.pop(self._hash(typed), None)
        if name not in known.familiar:
            known.familiar.append(name)
            del known.familiar[:-MOST_FAMILIAR]
        return msgspec.json.encode(known) != before

    def snapshot(self, staff: Collection[str]) -> bytes:
        """The file's content; what is over, or about people who left, is dropped."""
        now, counts = self._now(), self._counts
        counts.people = {n: count for n, count in counts.people.items() if n in staff and not count.is_over(now)}
        for name, client in list(counts.clients.items()):
            client.names = {typed: count for typed, count in client.names.items() if not count.is_over(now)}
            client.familiar = [person for person in client.familiar if person in staff]
            if client.pins.is_over(now):
                client.pins = _Count()
            if client.badges.is_over(now):
                client.badges = _Count()
            if client == _Client():
                del counts.clients[name]
        return msgspec.json.encode(counts.moved(-now))

    def write(self, snapshot: bytes) -> None:
        """On a thread: it waits for the disk."""
        try:
            replace_file(self._file, snapshot)
        except OSError as error:
            # Nobody is let in or kept out by it now; a full disk has its own alarm.
            log.error("the wrong tries at the sign-in cannot be written to %s: %s", self._file, error.strerror)

    def _use(self, client: str) -> _Client:
        """The client's counts, moved to the end. Where there are too many, strangers that came first are forgotten."""
        clients = self._counts.clients
        known = clients.pop(client, None) or _Client()
        while len(clients) >= MOST_CLIENTS:
            del clients[next((name for name, other in clients.items() if not other.familiar), next(iter(clients)))]
        clients[client] = known
        return known

    def _knows(self, client: str, name: str) -> bool:
        known = self._counts.clients.get(client)
        return _is_at_table(client) or (known is not None and name in known.familiar)

    def _hash(self, typed: str) -> str:
        key = bytes.fromhex(self._counts.key)
        return hashlib.blake2b(typed.encode(errors="replace"), key=key, digest_size=12).hexdigest()


def _is_at_table(client: str) -> bool:
    return client == BOARD or client.startswith(PANEL)


def _read(file: Path) -> _Counts:
    try:
        counts = msgspec.json.decode(file.read_bytes(), type=_Counts)
        bytes.fromhex(counts.key)
        return counts
    except FileNotFoundError:
        pass
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        log.error("the wrong tries at the sign-in cannot be read from %s, and count from zero: %s", file, error)
    return _Counts(secrets.token_hex(16))
