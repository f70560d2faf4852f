"""A table laid for a game: what its cards come from, its other devices, the config of its daemon, its people's habits.

What a ruleset needs is asked of it (`controller.demo.needs`); nothing here knows a game by name.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.config import Config
from controller.config.broker import MqttSettings
from controller.demo.needs import PLAYER_DEALER, choose_fees, needs_of, seats_of, stakes_of
from controller.engine.fees.schedule import Schedule
from controller.rules import load
from protocols.cards import JOKER
from protocols.shuffler.messages import Mode
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.kinds import SimulatedDevice
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.people.crew import Habits, Reach, Stakes
from sim_hw.time.clock import SimClock
from sim_hw.wire.local_port import LocalPort

BOXES = ("collection", "jackpot")
KEYS = {"no_more_bets": 1, "call_floor": 2}
KINDS = {"shoe": "shoe", "shuffler": "shuffler", "panel": "key_panel", "dice": "dice_cup", "boxes": "drop_box"}
JACKPOT: Mapping[str, Any] = {
    "name": "table-jackpot",
    "main": 70,
    "reserve": 30,
    "seed": 20_000,
    "seed_from": "reserve_then_house",
    "round_to": 100,
    "prizes": [
        {
            "name": "flush",
            "qualifies": "A flush or better",
            "percent": 50,
            "recognise": {"rank": ["flush"]},
            "shares": [{"to": "winner", "parts": 3}, {"to": "table", "parts": 1, "may_be_nobody": True}],
        },
        {"name": "fixed", "qualifies": "A hand of the month", "cents": 2_500, "shares": [{"to": "winner"}]},
    ],
}
"""What the simulated house pays, where a jackpot fee is taken."""
POLL_MS = 1000
"""The boxes are asked once a second: every answer of a simulated day is real work."""


class TableConfig(Config, frozen=True):
    """A table whose brokers are reached through sockets with the names of their hosts."""

    @property
    def brokers(self) -> dict[str, MqttSettings]:
        # Without a keep-alive: whether there was one would be a matter of real time.
        return {
            name: replace(settings, socket=settings.host, keepalive=0) for name, settings in super().brokers.items()
        }


class Bench:
    """The devices of one table, on ports without a terminal."""

    def __init__(self, slug: str, folder: Path, clock: SimClock, seed: str) -> None:
        self.slug, self.folder = slug, folder
        needs = self.needs = needs_of(slug)
        self.options = choose_fees(slug, needs, random.Random(f"{seed}/schedule"))
        self.shoe: SimulatedShoe | None = None
        self.shuffler: SimulatedShuffler | None = None
        jokers = needs.deck.count(JOKER)
        if needs.stacks:
            mode = Mode(kind="stacks", stack=needs.stacks[0], packet=(*needs.stacks, 0)[1], jokers=jokers)
            self.shuffler = SimulatedShuffler(LocalPort(folder, "shuffler"), clock, seed=f"{seed}/shuffler", mode=mode)
        elif not needs.by_hand:
            self.shoe = SimulatedShoe(LocalPort(folder, "shoe"), clock, seed=f"{seed}/shoe")
        self.panel = SimulatedKeyPanel(LocalPort(folder, "panel"), clock, seed=f"{seed}/panel")
        self.dice = SimulatedDiceCup(LocalPort(folder, "dice"), clock, seed=f"{seed}/dice") if needs.dice else None
        self.sensors = {
            box: SimulatedSensor(unit, clock, seed=seed, box=f"BOX-{unit}", serial=f"SIM-{unit}")
            for unit, box in enumerate(BOXES, start=1)
        }
        bus = SimulatedBus(LocalPort(folder, "boxes"), list(self.sensors.values()), seed=seed)
        self.boxes = DropBoxes(bus, self.sensors)

    @property
    def devices(self) -> dict[str, SimulatedDevice]:
        """By the name that the daemon's config gives each."""
        named: dict[str, SimulatedDevice | None] = {
            "shoe": self.shoe,
            "shuffler": self.shuffler,
            "panel": self.panel,
            "dice": self.dice,
            "boxes": self.boxes,
        }
        return {name: device for name, device in named.items() if device is not None}

    def plug(self) -> None:
        for device in self.devices.values():
            device.plug()

    def unplug(self) -> None:
        for device in self.devices.values():
            device.close()

    @property
    def reach(self) -> Reach:
        return Reach(
            shoe=self.shoe, shuffler=self.shuffler, dice=self.dice, boxes=self.sensors, panel=self.panel, keys=KEYS
        )

    def habits(self, pace: float) -> Habits:
        stakes = Stakes(**msgspec.structs.asdict(stakes_of(self.slug, self.options)))
        return Habits(self.needs.deck, lasts=self.needs.lasts, seats=seats_of(self.slug), stakes=stakes, pace=pace)

    def config(self, broker: str, version: str) -> TableConfig:
        """What an installer would write for this table. `broker`: the name of its socket."""
        return msgspec.convert(
            {
                "site": "soak",
                "table": "t-1",
                "test": True,
                "rules": {"ruleset": self.slug, "options": self.options},
                "seating": {
                    "seats": seats_of(self.slug),
                    "player_dealer": None if self.needs.pots else PLAYER_DEALER,
                    "awaits_drop": True,
                },
                "jackpots": [JACKPOT] if self._takes_jackpot_fee else [],
                "journal": {"warn_below_mb": 0, "stop_below_mb": 0, "rotate_at_mb": 0, "rotate_after_days": 0},
                "mqtt": {"broker": [{"host": broker, "version": version}], "start_without_broker": True},
                "web": {"port": 0},
                "devices": [self._device(name) for name in self.devices],
            },
            TableConfig,
        )

    @property
    def _takes_jackpot_fee(self) -> bool:
        schedule = getattr(load(self.slug).options(self.options), "schedule", None)
        return isinstance(schedule, Schedule) and schedule.takes_jackpot_fee

    def _device(self, name: str) -> dict[str, Any]:
        options: dict[str, Any] = {}
        match name:
            case "shuffler":
                assert self.shuffler is not None
                mode = self.shuffler.mode
                options = {"mode": "stacks", "stack": mode.stack, "packet": mode.packet, "jokers": mode.jokers}
            case "panel":
                options = {"keys": {str(key): label for label, key in KEYS.items()}}
            case "boxes":
                sensors = [{"unit": unit, "box": box} for unit, box in enumerate(BOXES, start=1)]
                options = {"sensors": sensors, "poll_ms": POLL_MS, "parity": "none"}
        baud = 19_200 if name == "boxes" else 115_200
        url = f"unix:{self.folder / name}"
        return {"id": name, "kind": KINDS[name], "url": url, "baud": baud, "options": options}
