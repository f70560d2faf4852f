"""The demo of any game: what its table is laid with, and the config of its daemon.

`cutcard demo` alone shows baccarat; `cutcard demo --game SLUG` any ruleset of the project, from what the ruleset itself
needs (`controller.demo.needs`).
"""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.demo.needs import PLAYER_DEALER, choose_fees, needs_of, seats_of, stakes_of
from protocols.cards import JOKER


class DemoBroker(Struct, frozen=True):
    """Where the table publishes, and under which name."""

    port: int
    version: str = "3.1.1"
    """That of the demo's own broker; 5 for a real one."""
    table: str = "table-1"


class GameTable:
    """One ruleset's table; `NotDealt` where nothing can be dealt of it, `RulesError` where there is no such ruleset."""

    def __init__(self, slug: str, seed: int) -> None:
        self.slug, self.needs, self._seed = slug, needs_of(slug), seed
        self._fees = choose_fees(slug, self.needs, random.Random(f"{seed}/schedule"))

    @property
    def rig(self) -> tuple[str, ...]:
        """The module that plays it, and its arguments."""
        lay = {
            "deck": self.needs.deck,
            "lasts": self.needs.lasts,
            "stacks": self.needs.stacks,
            "dice": self.needs.dice,
            "by_hand": self.needs.by_hand,
            "seats": seats_of(self.slug),
            "stakes": stakes_of(self.slug, self._fees),
        }
        return ("sim_hw.people.demo", "--lay", msgspec.json.encode(lay).decode())

    def config(self, broker: DemoBroker, web_port: int, clock: str, ports: Path) -> str:
        """What an installer would write for this table."""
        needs = self.needs
        seats = ", ".join(map(str, seats_of(self.slug)))
        dealer = "" if needs.pots else f"player_dealer = {PLAYER_DEALER}"
        options = "".join(f"options.{name} = {_text(value)}\n" for name, value in self._fees.items())
        dice = _DICE.format(ports=ports) if needs.dice else ""
        if needs.stacks:
            packet = (*needs.stacks, 0)[1]
            jokers = needs.deck.count(JOKER)
            cards = _SHUFFLER.format(ports=ports, stack=needs.stacks[0], packet=packet, jokers=jokers)
        elif needs.by_hand:
            cards = ""
        else:
            cards = _SHOE.format(ports=ports)
        return f"""
site = "demo"
table = "{broker.table}"
test = true
clock = "{clock}"
seed = "{self._seed}"

[rules]
ruleset = "{self.slug}"
{options}
[seating]
seats = [{seats}]
{dealer}

{plumbing(broker, web_port)}{cards}{dice}{_OTHERS.format(ports=ports, poll_ms=POLL_MS[clock])}"""


def plumbing(broker: DemoBroker, web_port: int) -> str:
    """Journal, broker and page of a table that lives as long as its demonstration."""
    return f"""[journal]
warn_below_mb = 0
stop_below_mb = 0
rotate_at_mb = 0
rotate_after_days = 0

[[mqtt.broker]]
port = {broker.port}
version = "{broker.version}"

[web]
port = {web_port}
"""


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


POLL_MS = {"system": 250, "devices": 20}
"""How often the boxes are asked: the faster, where nothing else passes the time."""
_SHOE = """
[[devices]]
id = "shoe"
kind = "shoe"
url = "{ports}/shoe"
"""
_SHUFFLER = """
[[devices]]
id = "shuffler"
kind = "shuffler"
url = "{ports}/shuffler"
options = {{ mode = "stacks", stack = {stack}, packet = {packet}, jokers = {jokers} }}
"""
_DICE = """
[[devices]]
id = "dice"
kind = "dice_cup"
url = "{ports}/dice"
"""
_OTHERS = """
[[devices]]
id = "panel"
kind = "key_panel"
url = "{ports}/panel"
options = {{ keys = {{ "1" = "no_more_bets", "2" = "call_floor" }} }}

[[devices]]
id = "boxes"
kind = "drop_box"
url = "{ports}/boxes"
baud = 19200
[devices.options]
parity = "none"
poll_ms = {poll_ms}
sensors = [{{ unit = 1, box = "collection" }}, {{ unit = 2, box = "jackpot" }}]
"""
