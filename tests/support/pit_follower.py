"""A foreign monitoring engineer's follower: what a table is, computed from its events alone.

It knows the messages as docs/mqtt/README.md has them, and nothing of the program. `differences` compares it with a
state document.
"""

from __future__ import annotations

import json
from typing import Any

_BY_PERSONS = frozenset(
    {
        "held",
        "resumed",
        "round_voided",
        "fees_waived",
        "table_set",
        "dealer_changed",
        "corrected",
        "correction_weighed",
        "table_opened",
        "table_closed",
        "table_retired",
        "bank_declined",
        "person_named",
        "alarm_acknowledged",
        "alarm_settled",
        "drop_explained",
        "box_identified",
        "box_counted",
        "jackpot_hit",
        "jackpot_no_hit",
        "jackpot_adjusted",
        "jackpot_fee_decided",
        "signed_in",
        "signed_out",
    }
)
"""Kinds that nobody but a person causes at a table without devices."""


class PitFollower:
    """One table, from its events."""

    def __init__(self) -> None:
        self.dealer: dict[str, Any] | None = None
        self.seats: list[int] = []
        self.player_dealer: int | None = None
        self.alarms: dict[str, dict[str, Any]] = {}
        self.fees_due: dict[str, int] = {}
        self.boxes: dict[str, tuple[str, str]] = {}
        self.round = 0
        self.nobody: list[str] = []
        """Kinds of events that a person caused and that name none."""

    def take(self, payload: bytes, *, is_person: bool) -> None:
        """One event; `is_person`: whether the test had a person cause it."""
        event = json.loads(payload)
        kind, body, at = event["kind"], event["body"], event["at"]
        if ("by" in event) is not is_person or (kind in _BY_PERSONS and "by" not in event):
            self.nobody.append(kind)
        match kind:
            case "table_started" | "table_configured" | "table_set":
                self.seats, self.player_dealer = body.get("seats", []), body.get("player_dealer")
            case "bank_taken" | "bank_kept":
                self.player_dealer = int(str(body["place"]).partition(".")[0])
            case "game_broken":
                self.player_dealer = None
            case "seat_forfeited":
                self.seats = [seat for seat in self.seats if seat != body["seat"]]
            case "dealer_changed":
                self.dealer = {"name": body["dealer"], "since": at} if body["dealer"] else None
            case "alarm_raised":
                self.alarms[body["alarm"]] = {"text": body["text"], "since": at, "acknowledged_by": None}
            case "alarm_acknowledged" if body["alarm"] in self.alarms:
                self.alarms[body["alarm"]]["acknowledged_by"] = body["by"]
            case "alarm_changed" if body["alarm"] in self.alarms:
                self.alarms[body["alarm"]]["text"] = body["text"]
            case "alarm_cleared":
                self.alarms.pop(body["alarm"], None)
            case "fee_changed":
                self.fees_due[body["box"]] = body.get("after", 0)
            case "box_identified" if not body.get("comes", False):
                self.boxes[body["box"]] = (body["box_id"], body.get("seal", ""))
            case "round_started":
                self.round = event["round"]

    def differences(self, document: bytes) -> dict[str, Any]:
        """Where a state document says something else: the field, what the events say, what it says."""
        state = json.loads(document)
        shown = {
            "dealer": state["dealer"],
            "seats": state["seats"],
            "alarms": {
                name: {key: alarm[key] for key in ("text", "since", "acknowledged_by")}
                for name, alarm in state["alarms"].items()
            },
            "fees_due": {box: cents for box, cents in state["fees_due"].items() if cents},
            "boxes": {box["box"]: (box["box_id"], box["seal"]) for box in state["boxes"] if box["box"] in self.boxes},
            "round": state["round"],
        }
        computed = {
            "dealer": self.dealer,
            "seats": self.seats,
            "alarms": self.alarms,
            "fees_due": {box: cents for box, cents in self.fees_due.items() if cents},
            "boxes": self.boxes,
            "round": self.round,
        }
        if state["player_dealer"] is not None or state["banker"] is not None:
            shown["player_dealer"], computed["player_dealer"] = state["player_dealer"], self.player_dealer
        return {name: (computed[name], shown[name]) for name in shown if computed[name] != shown[name]}
