"""What no single value of the configuration shows: keys that contradict each other, rules, devices, ports.

Each check is given the file as far as its values fit their types, and looks only at what is sound: a mistyped seat is
reported once, not again by every check that counts seats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.config.fields import BrokerConfig, Config, DeviceConfig
from controller.config.judging import sift
from controller.config.positions import Place
from controller.config.problems import Problem
from controller.engine.jackpot.rules import problems as jackpot_problems
from controller.engine.round.setup import Setup
from controller.errors import nearest
from controller.rules import RulesError, Ruleset, all_rulesets, load
from controller.web.hosts import is_loopback
from protocols.type_errors import in_words

_SCHEMES = ("", "usb", "socket", "rfc2217", "unix")
_ANYWHERE = frozenset({"", "0.0.0.0", "::"})
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Draft(Struct, frozen=True):
    """A file as far as it can be used: wrong values are left at their defaults."""

    config: Config
    devices: tuple[tuple[int, DeviceConfig], ...]
    """Those that are whole, each with its place in the file."""
    wrong: frozenset[Place]
    names_rules: bool = True

    def sound(self, *place: str | int) -> bool:
        """Whether nothing is wrong at this place, above or below it."""
        return not any(bad[: len(place)] == place or place[: len(bad)] == bad for bad in self.wrong)


def across(draft: Draft) -> Iterator[Problem]:
    """Everything that is wrong between keys."""
    yield from _rules(draft)
    yield from _seating(draft)
    yield from _drop(draft)
    yield from _jackpots(draft)
    yield from _report(draft)
    yield from _journal(draft)
    yield from _mqtt(draft)
    yield from _web(draft)
    yield from _updates(draft)
    yield from _devices(draft)
    if draft.config.clock == "devices" and not draft.config.test and draft.sound("clock") and draft.sound("test"):
        yield Problem(("clock",), 'clock = "devices" is for simulated tables: it needs test = true, or leave it out.')
    if draft.config.seed and not draft.config.test and draft.sound("seed") and draft.sound("test"):
        why = "who knows it can find face-down cards from the published hashes"
        yield Problem(("seed",), f"seed is for simulated tables ({why}): it needs test = true, or leave it out.")


def _rules(draft: Draft) -> Iterator[Problem]:
    rules = draft.config.rules
    if not draft.names_rules:
        return
    known = list(all_rulesets())
    if rules.ruleset not in known:
        near = nearest(rules.ruleset, known)
        text = f"there is no ruleset {rules.ruleset!r}.{near} `cutcard rules list` names the {len(known)} there are."
        yield Problem(("rules", "ruleset"), text)
        return
    try:
        ruleset = load(rules.ruleset)
    except RulesError as error:
        yield Problem(("rules", "ruleset"), f"{error}.")
        return
    if draft.sound("rules", "options"):
        yield from _options(ruleset, dict(rules.options))
        yield from _table_fits(draft, ruleset)


def _options(ruleset: Ruleset, chosen: dict[str, object]) -> Iterator[Problem]:
    """Asked again without what was refused, until the rest is taken: so all of it is reported."""
    while True:
        try:
            ruleset.options(chosen)
            return
        except RulesError as error:
            text = str(error).removeprefix(f"{ruleset.file}: ")
        name = next((name for name in chosen if re.search(rf"\b{re.escape(name)}\b", text)), None)
        near = "" if name is None or name in ruleset.data.options else nearest(name, ruleset.data.options)
        place: Place = ("rules", "options") if name is None else ("rules", "options", name)
        yield Problem(place, f"{text}.{near} `cutcard rules show {ruleset.slug}` explains them.")
        if name is None:
            return
        del chosen[name]


def _table_fits(draft: Draft, ruleset: Ruleset) -> Iterator[Problem]:
    """A table that is larger than the approval allows, with other limits than are posted, live without a collection."""
    seating, chosen = draft.config.seating, draft.config.rules.options
    try:
        options = ruleset.options(chosen)
    except RulesError:
        return  # reported already
    seen = f"`cutcard rules show {ruleset.slug}` has the line."
    if draft.sound("seating", "seats") and draft.sound("seating", "player_dealer"):
        setup = Setup(seats=seating.seats, player_dealer=seating.player_dealer)
        if text := ruleset.game.too_many_seats(setup, options):
            yield Problem(("seating", "seats"), f"{text}. {seen}")
    crossed = seating.max_wager is not None and seating.max_wager < seating.min_wager
    if draft.sound("seating", "min_wager") and draft.sound("seating", "max_wager") and not crossed:
        setup = Setup(min_wager=seating.min_wager, max_wager=seating.max_wager)
        if text := ruleset.game.not_posted(setup, options):
            wrong = "max_wager" if ruleset.game.not_posted(replace(setup, min_wager=0), options) else "min_wager"
            yield Problem(("seating", wrong), f"{text} {seen}")
    text = ruleset.lacks_collection(chosen)
    if text and draft.sound("test") and not draft.config.test:
        place: Place = ("rules", "options", "schedule") if "schedule" in chosen else ("rules", "ruleset")
        yield Problem(place, f"{text}. In test mode (test = true) a table needs none.")


def _seating(draft: Draft) -> Iterator[Problem]:
    seating = draft.config.seating
    if draft.sound("seating", "seats"):
        for index, seat in enumerate(seating.seats):
            if seat in seating.seats[:index]:
                yield Problem(("seating", "seats", index), f"seat {seat} is listed twice; list each seat once.")
        if draft.sound("seating", "player_dealer") and seating.player_dealer in seating.seats:
            yield Problem(
                ("seating", "player_dealer"),
                f"seat {seating.player_dealer} is one of the players' seats. Give the player-dealer a seat of its own, "
                "or take it out of seats.",
            )
    high, low = seating.max_wager, seating.min_wager
    if draft.sound("seating", "max_wager") and draft.sound("seating", "min_wager") and high is not None and high < low:
        yield Problem(("seating", "max_wager"), f"expected at least min_wager, which is {low}, found {high}.")
    boxes = any(device.kind == "drop_box" for _, device in draft.devices)
    if seating.awaits_drop and draft.sound("devices") and not boxes:
        yield Problem(
            ("seating", "awaits_drop"),
            'the cards would wait for a drop box, and there is none. Add a device of kind = "drop_box", or set '
            "awaits_drop = false.",
        )


def _drop(draft: Draft) -> Iterator[Problem]:
    if draft.sound("drop", "chips"):
        worths = [chip.cents for chip in draft.config.drop.chips]
        for index, cents in enumerate(worths):
            if cents in worths[:index]:
                text = f"the chip of {cents} cents is listed twice; list each once."
                yield Problem(("drop", "chips", index), text)


def _jackpots(draft: Draft) -> Iterator[Problem]:
    if not draft.sound("jackpots"):
        return
    jackpots = []
    for index, one in enumerate(draft.config.jackpots):
        try:
            jackpots.append(one.rules)
        except msgspec.ValidationError as error:
            yield Problem(("jackpots", index), in_words(error))
            return
    for place, text in jackpot_problems(jackpots):
        yield Problem(("jackpots", *place), text)


def _report(draft: Draft) -> Iterator[Problem]:
    report = draft.config.report
    if draft.sound("report", "timezone"):
        try:
            ZoneInfo(report.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            near = nearest(report.timezone, available_timezones())
            yield Problem(
                ("report", "timezone"),
                f"there is no time zone {report.timezone!r}.{near} Name one as America/Los_Angeles or UTC.",
            )
    if draft.sound("report", "shifts"):
        if not report.shifts:
            yield Problem(("report", "shifts"), "a day has at least one shift; leave it out for the usual three.")
        begins: dict[str, str] = {}
        for name, clock in report.shifts.items():
            if clock in begins:
                text = f"begins at {clock} like the shift {begins[clock]}; each needs its own time."
                yield Problem(("report", "shifts", name), text)
            begins[clock] = name


def _journal(draft: Draft) -> Iterator[Problem]:
    journal = draft.config.journal
    if draft.sound("journal") and journal.stop_below_mb > journal.warn_below_mb:
        yield Problem(
            ("journal", "stop_below_mb"),
            f"expected at most warn_below_mb, which is {journal.warn_below_mb}, found {journal.stop_below_mb}: the "
            "alarm must come before the table stops.",
        )


def _mqtt(draft: Draft) -> Iterator[Problem]:
    if not draft.sound("mqtt"):
        return
    brokers = draft.config.mqtt.broker
    if not 1 <= len(brokers) <= 2:
        yield Problem(("mqtt", "broker"), f"expected one broker or two, found {len(brokers)}.")
    for index, broker in enumerate(brokers):
        place: Place = ("mqtt", "broker", index)
        yield from _broker(broker, place)
        for other in brokers[:index]:
            if other.name == broker.name:
                text = f"another broker is called {broker.name!r} too; write a name of its own for each."
                yield Problem((*place, "name"), text)
            if (other.host, other.port) == (broker.host, broker.port):
                text = f"{broker.host}:{broker.port} is the broker {other.name!r} too; two brokers are two programs."
                yield Problem((*place, "port"), text)


def _broker(broker: BrokerConfig, place: Place) -> Iterator[Problem]:
    if broker.password_file is not None and broker.username is None:
        yield Problem((*place, "password_file"), "a password needs a username beside it. Write username = ...")
    tls = broker.tls
    if tls is not None and (tls.cert is None) != (tls.key is None):
        there, lacks = ("cert", "key") if tls.key is None else ("key", "cert")
        yield Problem((*place, "tls", there), f"a certificate and its key go together: {lacks} is missing beside it.")
    for name, value in (("password_file", broker.password_file), ("tls", tls)):
        paths = [value] if isinstance(value, str) else [] if value is None else [value.ca, value.cert, value.key]
        if any(path is not None and "-----BEGIN" in path for path in paths):
            yield Problem((*place, name), "this is a key or certificate itself; name the file that holds it.")


def _web(draft: Draft) -> Iterator[Problem]:
    web = draft.config.web
    if draft.sound("web", "allowed_hosts"):
        for index, name in enumerate(web.allowed_hosts):
            if not name or re.search(r"[/\s]|:\d+$", name):
                text = f"expected a bare host name or address, found {name!r}. Leave out http:// and the port."
                yield Problem(("web", "allowed_hosts", index), text)
    yield from _web_certificate(draft)
    here = _LOOPBACK | _ANYWHERE | {web.host}
    if not (draft.sound("web", "port") and draft.sound("web", "host") and web.port):
        return
    ours = {broker.port for broker in draft.config.mqtt.broker if broker.host in {web.host, *(_LOOPBACK & here)}}
    if draft.sound("mqtt") and web.port in ours:
        yield Problem(("web", "port"), f"port {web.port} of this board is the broker's; choose another.")
    for index, device in draft.devices:
        where = urlsplit(device.url)
        if where.scheme in ("socket", "rfc2217") and where.hostname in here and _port(device.url) == web.port:
            text = f"port {web.port} of this board is that of the page ([web]); choose another."
            yield Problem(("devices", index, "url"), text)


def _web_certificate(draft: Draft) -> Iterator[Problem]:
    web = draft.config.web
    if not all(draft.sound("web", name) for name in ("host", "certificate", "key", "local_port")):
        return
    if (web.certificate is None) != (web.key is None):
        there, lacks = ("certificate", "key") if web.key is None else ("key", "certificate")
        yield Problem(("web", there), f"a certificate and its key go together: {lacks} is missing beside it.")
    elif web.certificate is None and not is_loopback(web.host):
        yield Problem(
            ("web", "host"),
            f"{web.host or 'every address'} is on the network, where PINs must not be sent in the clear. Name the "
            "page's certificate and key beside it (`cutcard enroll --page` makes them), or serve it on 127.0.0.1.",
        )
    if web.local_port and web.certificate is None:
        yield Problem(("web", "local_port"), "it is used with a certificate only; without one there is port.")
    for name, path in (("certificate", web.certificate), ("key", web.key)):
        if path is not None and "-----BEGIN" in path:
            yield Problem(("web", name), "this is a key or certificate itself; name the file that holds it.")


def _devices(draft: Draft) -> Iterator[Problem]:
    ids: dict[str, int] = {}
    ports: dict[str, str] = {}
    for index, device in draft.devices:
        if device.id in ids:
            text = f"the device {ids[device.id] + 1} in the file is called {device.id!r} too; each needs its own id."
            yield Problem(("devices", index, "id"), text)
        ids.setdefault(device.id, index)
        port = _real(device.url)
        if port in ports:
            text = f"{device.url} is the port of {ports[port]!r} too; each device needs its own."
            yield Problem(("devices", index, "url"), text)
        ports.setdefault(port, device.id)
        unreachable = _unreachable(device.url)
        if unreachable:
            yield Problem(("devices", index, "url"), unreachable)
        else:
            yield from _fit_for_driver(index, device)


def _updates(draft: Draft) -> Iterator[Problem]:
    updates = draft.config.updates
    if updates.ca is None and any(address.startswith("https:") for address in updates.addresses):
        text = "https addresses need the certificate of the authority that vouches for their servers: name it here."
        yield Problem(("updates", "ca"), text)


def _real(url: str) -> str:
    """The port that a path means: a link under by-id and /dev/ttyUSB0 may be one."""
    return str(Path(url).resolve()) if url.startswith("/") else url


def _unreachable(url: str) -> str:
    scheme = urlsplit(url).scheme
    if scheme not in _SCHEMES or (scheme == "" and not url.startswith("/")):
        return (
            f"{url!r} is not a port. Write a path as /dev/serial/by-id/..., usb://VID:PID/SERIAL, rfc2217://host:port "
            "or socket://host:port; `cutcard devices list` shows what is there."
        )
    if scheme in ("socket", "rfc2217") and not (urlsplit(url).hostname and _port(url)):
        return f"{url!r} names no host and port. Write {scheme}://host:port."
    return ""


def _port(url: str) -> int | None:
    try:
        return urlsplit(url).port
    except ValueError:
        return None


def _fit_for_driver(index: int, device: DeviceConfig) -> Iterator[Problem]:
    """Its options by the types of its kind, and its driver's check of them together and of its url."""
    # The drivers bring the serial and USB libraries with them.
    from devices.driver import DriverFailure
    from devices.kinds import kind_of, make_driver
    from devices.options import OptionsError

    place: Place = ("devices", index, "options")
    wrong = sift(device.options, kind_of(device.kind).options, place).problems
    yield from wrong
    if wrong:
        return
    try:
        make_driver(device.spec)
    except OptionsError as error:
        text = str(error).removeprefix(f"the {device.kind} {device.id!r}: ").removeprefix("options: ")
        yield Problem(("devices", index, "baud") if "write baud" in text else place, f"{text}.")
    except DriverFailure as failure:
        yield Problem(("devices", index, "url"), f"{failure}.")
