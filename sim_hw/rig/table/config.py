"""The daemon's config for a table of a rig."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from sim_hw.rig.table.broker import Broker


class TablePlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is dealt at the table: the parts of the daemon's config that a scenario sets."""

    ruleset: str
    seats: tuple[int, ...] = (1, 2, 3)
    player_dealer: int | None = 8
    bank: tuple[int, ...] | None = None
    records_wagers: bool = True
    min_wager: int = 0
    max_wager: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Of the ruleset."""
    config: dict[str, Any] = field(default_factory=dict)
    """Any other section of the config, as it is there."""


def table_config(
    plan: TablePlan, *, site: str, table: str, broker: Broker, devices: list[dict[str, Any]], system_clock: bool
) -> dict[str, Any]:
    """What an installer would write for this table."""
    seating: dict[str, Any] = {"seats": list(plan.seats), "records_wagers": plan.records_wagers}
    seating["min_wager"] = plan.min_wager
    for key, value in (("player_dealer", plan.player_dealer), ("bank", plan.bank), ("max_wager", plan.max_wager)):
        if value is not None:
            seating[key] = list(value) if isinstance(value, tuple) else value
    config: dict[str, Any] = {
        "site": site,
        "table": table,
        "test": True,
        "clock": "system" if system_clock else "devices",
        "rules": {"ruleset": plan.ruleset, "options": plan.options},
        "seating": seating,
        "journal": {"warn_below_mb": 0, "stop_below_mb": 0},
        "mqtt": {"broker": [{"port": broker.port, "version": broker.version}], "start_without_broker": True},
        "web": {"port": 0},
        "devices": devices,
    }
    for section, values in plan.config.items():
        if isinstance(values, dict) and isinstance(config.get(section), dict):
            config[section] = {**config[section], **values}
        else:
            config[section] = values
    return config
