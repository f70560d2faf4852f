"""A commented configuration, made of the types: the example that is shipped, and the first file of a new table.

Keys with a value of their own are set; the others are commented out with their default, so that a reader of the
file sees all there is. `make config-example` renews the example, and the reference in docs/operations/configuration.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from controller.config.describing import Key, Section, is_value_of_key, reference, sections, toml

Values = Mapping[str, Mapping[str, object]]
"""By section and key; "" is the top of the file."""

COLUMN = 30
WIDTH = 118

EXAMPLE: Values = {
    "": {"site": "riverside", "table": "baccarat-1", "data": "/var/lib/cutcard", "test": False},
    "rules": {"ruleset": "bankers-ez-baccarat-panda-8", "options": {"decks": 8, "schedule": "ca-2/ez-baccarat/1"}},
    "seating": {
        "seats": [1, 2, 3, 4, 5, 6, 7],
        "player_dealer": 8,
        "records_wagers": False,
        "awaits_drop": False,
        "shuffle_control": True,
        "min_wager": 1000,
        "max_wager": 50000,
    },
    "drop": {"grace_s": 60, "chips": [{"cents": 100, "grams": 10}]},
    "report": {
        "timezone": "America/Los_Angeles",
        "shifts": {"day": "06:00", "swing": "14:00", "graveyard": "22:00"},
    },
    "mqtt": {"start_without_broker": True},
    "mqtt.broker": {"host": "127.0.0.1", "port": 1883},
    "web": {"host": "127.0.0.1", "port": 8080},
    "firmware": {"trust": "flag"},
}
TLS = {"ca": "tls/broker-ca.crt", "cert": "tls/table.crt", "key": "tls/table.key"}
"""Of [mqtt.broker.tls], where a broker asks for certificates."""
DEVICES: Sequence[Mapping[str, object]] = (
    {"id": "shoe", "kind": "shoe", "url": "/dev/serial/by-id/REPLACE-ME", "required": True},
)
MORE_DEVICES: Sequence[Mapping[str, object]] = (
    {
        "id": "boxes",
        "kind": "drop_box",
        "url": "usb://0403:6001/REPLACE-ME",
        "baud": 19200,
        "required": False,
        "options": {"sensors": [{"unit": 1, "box": "collection"}, {"unit": 2, "box": "jackpot"}]},
    },
    {
        "id": "board",
        "kind": "reader_board",
        "url": "/dev/serial/by-id/REPLACE-ME-TOO",
        "baud": 9600,
        "required": False,
    },
    {
        "id": "panel",
        "kind": "key_panel",
        "url": "/dev/serial/by-id/AND-ME",
        "options": {
            "keys": {"1": "next", "2": "previous", "3": "ok", "4": "back", "5": "no_more_bets", "6": "call_floor"}
        },
    },
)
_WITHOUT_DEFAULT: Values = {
    "seating": {"bank": [100000], "max_wager": 50000},
    "web": {"certificate": "tls/page.crt", "key": "tls/page.key"},
    "updates": {"ca": "tls/files-ca.crt"},
    "certificates": {"authority": "tls/tables-ca.crt"},
    "mqtt.broker": {
        "client_id": "cutcard-riverside-baccarat-1",
        "username": "baccarat-1",
        "password_file": "mqtt-password",
        "tls": TLS,
    },
}
"""What a key that has no default could be, for its line in the comments."""
_REASONS: Mapping[tuple[str, str], Sequence[str]] = {
    ("rules", "options"): (
        "# A live table does not open without a posted collection: `cutcard rules show RULESET` lists the schedules,",
        "# docs/table/fees.md says what one binds.",
    ),
    ("firmware", "trust"): (
        "# With flag, a device that was swapped, cloned or restarted, or whose frames could be altered on the cable,",
        "# is an alarm, and the table goes on. Enroll each device with the key from its sealed card (`cutcard",
        "# firmware enroll`); when all are enrolled, refuse takes nothing from others. With any, nobody would notice.",
    ),
}
"""Why a value is proposed that is not the default."""
_JACKPOT = (
    "# [[jackpots]]                # the house's rules of a jackpot (docs/table/jackpots.md)",
    '# name = "bad-beat"',
    '# title = "Bad Beat Jackpot"',
    "# main = 80                   # parts of each jackpot fee for the meter",
    "# reserve = 20                # parts for the reserve",
    "# seed = 500000               # what the meter begins with and is filled up to after a payout, cents",
    '# seed_from = "reserve"       # or "reserve_then_house"',
    "# round_to = 100              # each seat's amount is rounded down to a multiple of this, cents",
    "# needs_fee = true            # only a hand for which a jackpot fee was taken can be a hit",
    '# source = "house"            # where these rules are written',
    "#",
    "# [[jackpots.prizes]]         # a hand that is paid, and how",
    '# name = "quads"',
    '# qualifies = "Four of a kind or better is beaten; both hole cards play"',
    "# percent = 100               # of the main meter",
    '# recognise = { whose = "loser", rank = ["four_of_a_kind"] }',
    '# shares = [{ to = "loser", parts = 50 }, { to = "table", parts = 50, may_be_nobody = true }]',
    "#",
    "# [[jackpots.prizes]]",
    '# name = "aces-full"',
    '# qualifies = "Aces full of tens"',
    "# cents = 20000               # a fixed amount instead of a percentage",
    '# recognise = { cards = "AAATT", suits = "any" }',
    '# shares = [{ to = "loser" }]',
)
_SECOND_BROKER = (
    "# [[mqtt.broker]]             # a second one, on another machine: losing one changes nothing on the other",
    '# name = "second"             # and the first gets a name too',
    '# host = "broker-b.riverside.example"',
)
_STAFF = (
    "# People sign in at the console: `cutcard staff add NAME --role dealer --number 1001` (docs/table/console.md)."
)


def example() -> str:
    """deploy/cutcard.example.toml."""
    head = (
        "# One table. Copy to /etc/cutcard/cutcard.toml and change what differs, or let `cutcard config init` write it",
        "# with the devices that it finds. Relative paths start at the file's folder. What is commented out",
        "# is the default. `cutcard config check` checks the file, docs/operations/configuration.md explains all keys.",
    )
    return commented(head, EXAMPLE, DEVICES, MORE_DEVICES)


def commented(
    head: Sequence[str],
    values: Values,
    devices: Sequence[Mapping[str, object]],
    suggested: Sequence[Mapping[str, object]],
) -> str:
    """A whole file; `suggested` devices are commented out."""
    parts = ["\n".join(head)]
    for section in sections():
        if section.name == "devices":
            parts += _devices(section, devices, suggested)
        elif section.name == "jackpots":
            parts.append("\n".join(_JACKPOT))
        elif not is_value_of_key(section.name):
            parts.append("\n".join(_section(section, values.get(section.name, {}))))
            if section.name == "web":
                parts.append(_STAFF)
            if section.name == "mqtt.broker":
                parts.append("\n".join(_SECOND_BROKER))
    return "\n\n".join(parts) + "\n"


def _section(section: Section, given: Mapping[str, object]) -> Iterator[str]:
    hint = "# " if section.name and not given else ""
    if section.name:
        yield _with_comment(f"{hint}{section.header}", _small(section.meaning))
    for key in section.keys:
        if not section.name and key.name == "jackpots":
            continue  # a section of its own
        if key.name in given:
            yield from _REASONS.get((section.name, key.name), ())
            yield _with_comment(f"{key.name} = {toml(given[key.name])}", _small(key.short))
        else:
            default = key.default or toml(_WITHOUT_DEFAULT[section.name][key.name])
            yield _with_comment(f"# {key.name} = {default}", _small(key.short))


def _devices(
    section: Section, devices: Sequence[Mapping[str, object]], suggested: Sequence[Mapping[str, object]]
) -> Iterator[str]:
    explained = {key.name: key for key in section.keys}
    if not devices:
        yield "# No device was found: cards are keyed at the console until some are named here."
    for number, device in enumerate(devices):
        yield "\n".join(_device(section, device, explained if number == 0 else {}))
    if suggested:
        yield "# More devices; each kind's options are on its page in docs/protocols."
    for device in suggested:
        yield "\n".join(f"# {line}" for line in _device(section, device, {}))


def _device(section: Section, device: Mapping[str, object], explained: Mapping[str, Key]) -> Iterator[str]:
    yield section.header
    for name, value in device.items():
        comment = _small(explained[name].short) if name in explained else ""
        yield _with_comment(f"{name} = {toml(value)}", comment)


def _small(text: str) -> str:
    """A sentence as a comment: it begins small, unless its first word is a name."""
    first = text.split(maxsplit=1)[0]
    text = text.rstrip(".")
    return text if first.isupper() or first in ("MQTT", "Ed25519") else text[:1].lower() + text[1:]


def _with_comment(line: str, comment: str) -> str:
    if not comment:
        return line
    beside = f"{line:<{COLUMN - 1}} # {comment}" if len(line) < COLUMN else f"{line}   # {comment}"
    return beside if len(beside) <= WIDTH else f"# {comment[:1].upper()}{comment[1:]}.\n{line}"


def renew(file: Path, page: Path) -> None:
    """Write the example into its file, and the reference into its page."""
    file.write_text(example(), encoding="utf-8")
    before, begin, rest = page.read_text(encoding="utf-8").partition("<!-- reference -->\n")
    _, end, after = rest.partition("<!-- end -->")
    page.write_text(f"{before}{begin}{reference()}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    renew(Path(sys.argv[1]), Path(sys.argv[2]))
