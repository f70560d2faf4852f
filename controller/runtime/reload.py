"""A running daemon reads its configuration again: on SIGHUP, or when `cutcard config apply` asks for it.

The file is judged as a whole. If anything is wrong with it, nothing changes: the old configuration stays; log, alarm
and answer give the reason. If it is right, each changed key takes effect when it may
(docs/operations/configuration.md): at once, between rounds, or at the next start. A file that changes something which
must not change now is refused as a whole, so that a table is never between two configurations.

A change is in the journal before it takes effect: one entry with the keys and the file's digest. The engine's part of
the configuration is in that entry, so that replay comes to the same table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from msgspec import Struct
from msgspec.structs import replace

from controller import __version__
from controller.config import Config, ConfigError
from controller.config.changing import Change, changes, taken_now
from controller.config.reading import parse_config, read_source
from controller.contract.why import Why
from controller.durable_files import fresh_name, sync_folder, write_new
from controller.engine import inputs as happened
from controller.engine.actor import Actor
from controller.engine.alarms import CONFIG
from controller.engine.table.devices.firmware import updates_in
from controller.engine.update_inputs import Reference
from controller.journal import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Outcome, Recorder
from controller.rules import load
from controller.technician.api import technician_named
from controller.updates.rejection import ReferenceRejected
from controller.web.pages import authorised, refuse

log = logging.getLogger("cutcard.config")

_TERMS = frozenset({"rules.ruleset", "rules.options", "seating.min_wager", "seating.max_wager"})
"""What the floor may choose at the table as well: a new value in the file replaces the floor's."""
READINGS = "readings"
"""Among the changed keys: the house has confirmed readings, or a confirmation does not count any more."""
_ROUTE = "/api/config/apply"


class Applied(Struct, frozen=True):
    """The result, in lines for a person."""

    ok: bool
    lines: tuple[str, ...]


class ConfigReload:
    """Reads the configuration's file of one daemon again and applies what changed."""

    def __init__(
        self,
        file: Path,
        recorder: Recorder,
        running: Callable[[], Config],
        take: Callable[[Config], Awaitable[None]],
        confirmed: Callable[[Config], tuple[str, ...] | None],
    ) -> None:
        """`running`: the configuration in force; `take` puts another one in force, except for the engine's part;
        `confirmed`: the readings that the house has confirmed, as their file is now."""
        self._file, self._recorder, self._running, self._take = file, recorder, running, take
        self._confirmed = confirmed
        self._one_at_a_time = asyncio.Lock()

    async def apply(self, by: str | Actor, *, is_answered: bool) -> Applied:
        """Read the file and apply what has changed. If nobody reads the answer, a refusal is an alarm too."""
        async with self._one_at_a_time:
            try:
                done = await self._apply(by, is_answered=is_answered)
            except JournalError as error:
                done = Applied(False, (f"It could not be written down, and nothing was changed: {error}",))
        for line in done.lines:
            log.log(logging.INFO if done.ok else logging.ERROR, "%s", line)
        return done

    async def settle(self) -> None:
        """The daemon started with a correct file: clear the alarm about an earlier one."""
        await self._alarm(None)

    async def _apply(self, by: str | Actor, *, is_answered: bool) -> Applied:
        try:
            new, digest = await asyncio.to_thread(read_source, self._file, files=True)
        except ConfigError as error:
            more = f" (and {len(error.lines) - 1} more)" if len(error.lines) > 1 else ""
            await self._alarm(f"the configuration cannot be used and the old one stays: {error.lines[0]}{more}")
            return Applied(False, (*error.lines, "Nothing was changed: the old configuration stays."))
        old = self._running()
        found = changes(old, new)
        now = tuple(change.key for change in found if change.when != "restart")
        waiting = tuple(change.key for change in found if change.when == "restart")
        between = [change.key for change in found if change.when == "between rounds"]
        if between and self._recorder.engine.is_dealing:
            return await self._not_now(between, is_answered=is_answered)
        if text := self._hindrance(now):
            return await self._refused(text, is_answered=is_answered)
        config = taken_now(old, new)
        confirmed = await asyncio.to_thread(self._confirmed, config)
        is_renewed = confirmed != self._recorder.engine.state.confirmed
        if is_renewed:
            now = (*now, READINGS)
        if now:
            body = configured(old, config, now, digest)
            outcome = await self._recorder.submit(replace(body, confirmed=confirmed) if is_renewed else body, by)
            if outcome.refusal is not None:  # a round began meanwhile
                return await self._not_now(between, is_answered=is_answered)
            await self._take(config)
        await self._alarm(None)
        return Applied(True, tuple(_as_lines(now, waiting)))

    async def weigh(self, text: str) -> str:
        """What a configuration that came by signed reference would change; `ReferenceRejected` as in `take`."""
        old = self._running()
        new, found = await self._judged(old, text)
        shown = [f"{change.key}: {_value(old, change.key)} -> {_value(new, change.key)}" for change in found]
        return f"{'; '.join(shown)[:_MOST_TEXT] or 'Nothing would change'}."

    async def _judged(self, old: Config, text: str) -> tuple[Config, tuple[Change, ...]]:
        """The configuration, and what it changes."""
        try:
            new = await asyncio.to_thread(parse_config, self._file.resolve(), text, files=True)
        except ConfigError as error:
            raise ReferenceRejected(Why.BAD_BUNDLE, "; ".join(error.lines[:5])) from None
        found = changes(old, new)
        if fixed := [change.key for change in found if change.when == "restart"]:
            raise ReferenceRejected(
                Why.NEEDS_RESTART,
                f"it changes {', '.join(fixed)}, which a technician changes at the board (`cutcard config apply`, "
                "then a restart)",
            )
        return new, found

    async def take(self, text: str, reference: Reference, by: Actor, asked: happened.Asked) -> Outcome:
        """Use a configuration that came by signed reference, and write it in place of the file. `ReferenceRejected`
        where it cannot be used as a whole, now: nobody is at the board to restart it."""
        async with self._one_at_a_time:
            old, file = self._running(), self._file.resolve()
            new, found = await self._judged(old, text)
            now = tuple(change.key for change in found)
            if hindrance := self._hindrance(now):
                raise ReferenceRejected(Why.UPDATE_RUNNING, hindrance)
            confirmed = await asyncio.to_thread(self._confirmed, new)
            is_renewed = confirmed != self._recorder.engine.state.confirmed
            if is_renewed:
                now = (*now, READINGS)
            body = replace(configured(old, new, now, sha256(text.encode()).hexdigest()), update=reference)
            fresh = await asyncio.to_thread(_write_beside, file, text.encode())
            try:
                body = replace(body, confirmed=confirmed) if is_renewed else body
                outcome = await self._recorder.submit(body, by, asked=asked)
            except JournalError:
                fresh.unlink()
                raise
            if outcome.refusal is not None:
                fresh.unlink()
                return outcome
            _put_in_place(fresh, file)
            if now:
                await self._take(new)
            await self._alarm(None)
            return outcome

    async def finish(self) -> None:
        """At a start: put in place what is in the journal, if the last run did not come to it, and use it."""
        file = self._file.resolve()
        fresh = fresh_name(file)
        if not fresh.exists():
            return
        last = self._recorder.engine.state.updates.get("configuration")
        if last is None or sha256(await asyncio.to_thread(fresh.read_bytes)).hexdigest() != last.sha256:
            return
        log.warning("the configuration that came by reference is put in place now: the last run did not come to it")
        _put_in_place(fresh, file)
        await self.apply("board", is_answered=False)

    def _hindrance(self, keys: tuple[str, ...]) -> str:
        """Why these keys must not change at this moment; empty: they may."""
        updating = updates_in(self._recorder.engine.state.stops)
        if updating and any(key.startswith("devices.") for key in keys):
            return (
                f"{updating[0]} is being given new firmware, and devices must not change meanwhile. Nothing was "
                "changed; apply it again when that is done."
            )
        return ""

    async def _not_now(self, keys: list[str], *, is_answered: bool) -> Applied:
        number = self._recorder.engine.round_number
        text = (
            f"Round {number} is running, and {', '.join(keys)} may change between rounds only. Nothing was changed; "
            "apply it again when the round is over."
        )
        return await self._refused(text, is_answered=is_answered)

    async def _refused(self, text: str, *, is_answered: bool) -> Applied:
        if not is_answered:
            await self._alarm(text)
        return Applied(False, (text,))

    async def _alarm(self, text: str | None) -> None:
        await set_alarm(self._recorder, CONFIG.of(), text)


_MOST_TEXT = 1500
_SECRETS = ("key", "password", "token", "secret")


def _value(config: Config, key: str) -> str:
    """The value of a key for people; `…` where it is not one plain value, or may be a secret."""
    value: object = msgspec.to_builtins(config)
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    is_secret = any(word in key.rpartition(".")[2] for word in _SECRETS)
    return str(value) if isinstance(value, str | int | float | bool) and not is_secret else "…"


def _write_beside(file: Path, data: bytes) -> Path:
    """The new content of a file, durable, beside it: then it only needs its name."""
    fresh = fresh_name(file)
    try:
        fresh.unlink(missing_ok=True)
        write_new(fresh, data, file.stat().st_mode & 0o777)
    except OSError as error:
        text = f"{file} cannot be replaced ({error.strerror}); docs/mqtt/references.md says what the table needs for it"
        raise ReferenceRejected(Why.CANNOT_WRITE, text) from None
    return fresh


def _put_in_place(fresh: Path, file: Path) -> None:
    fresh.replace(file)
    sync_folder(file.parent)


def started(config: Config, file: str = "", confirmed: tuple[str, ...] | None = None) -> happened.Started:
    """The daemon's first input. `file`: digest of the configuration's file. `confirmed`: readings, by their digests;
    None: none is asked for."""
    rules = config.rules
    ruleset = load(rules.ruleset)
    digest = ruleset.digest_with(rules.options)
    if config.clock == "devices":
        # A simulated table: its ports and folders are others in every run, and a seed gives the same journal.
        file = ""
    return happened.Started(
        __version__, ruleset.slug, digest, rules.options, _setup(config), config.test, file, confirmed
    )


def configured(old: Config, new: Config, changed: tuple[str, ...], file: str) -> happened.Configured:
    """The engine's input for these changed keys."""
    before, after = _setup(old), _setup(new)
    setup = {name: value for name, value in after.items() if value != before[name]}
    if not _TERMS & set(changed):
        return happened.Configured(__version__, file, changed, setup=setup)
    setup |= {name: after[name] for name in ("min_wager", "max_wager")}
    rules = new.rules
    digest = load(rules.ruleset).digest_with(rules.options)
    return happened.Configured(__version__, file, changed, rules.ruleset, digest, rules.options, setup)


def reload_route(reloading: ConfigReload, token: str) -> Callable[[web.Application], None]:
    """POST /api/config/apply on the page's server, for those with the table's bearer token."""

    async def answer(request: web.Request) -> web.Response:
        if not authorised(request, token):
            return refuse(401, "unauthorised", "The configuration is for those who have the table's bearer token.")
        by = technician_named(request.headers.get("Cutcard-By", ""))
        done = await reloading.apply(by, is_answered=True)
        return web.Response(body=msgspec.json.encode(done), content_type="application/json")

    def add(app: web.Application) -> None:
        app.router.add_post(_ROUTE, answer)

    return add


def _setup(config: Config) -> dict[str, Any]:
    """The table's own part, as the engine takes it."""
    seating = config.seating
    return {
        "seats": list(seating.seats),
        "player_dealer": seating.player_dealer,
        "bank": None if seating.bank is None else list(seating.bank),
        "records_wagers": seating.records_wagers,
        "awaits_drop": seating.awaits_drop,
        "shuffle_control": seating.shuffle_control,
        "min_wager": seating.min_wager,
        "max_wager": seating.max_wager,
        "drop": msgspec.to_builtins(config.drop.terms),
        "jackpots": [msgspec.to_builtins(one.rules) for one in config.jackpots],
    }


def _as_lines(now: tuple[str, ...], waiting: tuple[str, ...]) -> list[str]:
    lines = [f"Changed: {', '.join(now)}."] if now else []
    if waiting:
        lines.append(f"Waits for a restart: {', '.join(waiting)}.")
    return lines or ["Nothing has changed."]
