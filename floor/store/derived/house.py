"""The house: alarms, what people did, devices and their firmware."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract import Event
from controller.contract import events as ev
from floor.store.derived.about import About
from floor.store.derived.context import MOST_ALARMS, MOST_DEVICES, Context, KnownAlarm
from floor.store.derived.page import Page
from floor.store.schema import ALARMS, DEVICES, PACKS, POSITIONS, STAFF_ACTS


def alarm_raised(context: Context, about: About, event: ev.AlarmRaised, page: Page) -> None:
    known = KnownAlarm(about.seq, about.at, about.day, about.test, event.text)
    context.alarms.pop(event.alarm, None)
    context.alarms[event.alarm] = known
    _forget_cleared(context)
    _write(event.alarm, known, about, page, again=False)


def alarm_changed(context: Context, about: About, event: ev.AlarmChanged, page: Page) -> None:
    known = context.alarms.get(event.alarm)
    if known is not None:
        known.text = event.text
        _write(event.alarm, known, about, page, again=True)


def alarm_acknowledged(context: Context, about: About, event: ev.AlarmAcknowledged, page: Page) -> None:
    known = context.alarms.get(event.alarm)
    if known is not None:
        known.acknowledged_by, known.acknowledged_at = event.by, about.at
        _write(event.alarm, known, about, page, again=True)


def alarm_settled(context: Context, about: About, event: ev.AlarmSettled, page: Page) -> None:
    known = context.alarms.get(event.alarm)
    if known is not None:
        known.settled_by, known.reason = event.by, event.reason
        _write(event.alarm, known, about, page, again=True)


def alarm_cleared(context: Context, about: About, event: ev.AlarmCleared, page: Page) -> None:
    known = context.alarms.get(event.alarm)
    if known is not None:
        known.cleared_at = about.at
        _write(event.alarm, known, about, page, again=True)


def _forget_cleared(context: Context) -> None:
    """The oldest that are cleared, where there are too many."""
    for name in [name for name, known in context.alarms.items() if known.cleared_at is not None]:
        if len(context.alarms) <= MOST_ALARMS:
            break
        del context.alarms[name]


def _write(name: str, known: KnownAlarm, about: About, page: Page, *, again: bool) -> None:
    row = (
        about.journal,
        known.seq,
        about.site,
        about.table,
        known.at,
        known.day,
        known.test,
        name,
        known.text,
        known.acknowledged_by,
        known.acknowledged_at,
        known.cleared_at,
        known.settled_by,
        known.reason,
    )
    page.put(ALARMS, (about.journal, known.seq), [row], again=again)


def device_changed(context: Context, about: About, event: ev.DeviceChanged, page: Page) -> None:
    facts = event.facts
    if "serial" in facts:
        context.serials[event.device] = facts["serial"]
        if len(context.serials) > MOST_DEVICES:
            del context.serials[next(iter(context.serials))]
    _device(about, page, event.device, event.state, facts)


def pack_ready(context: Context, about: About, event: ev.PackReady, page: Page) -> None:
    serial = context.serials.get(event.device, "")
    page.add(PACKS, (*about.of_event, about.test, event.by or about.by, event.device, serial, event.back, event.cards))


def position(about: About, event: ev.BankTaken | ev.BankKept | ev.GameBroken, page: Page) -> None:
    match event:
        case ev.BankTaken():
            kind, hands = ("set" if event.how == "set" else "taken"), 0
        case ev.BankKept():
            kind, hands = "kept", 0
        case ev.GameBroken():
            kind, hands = "broken", event.hands
    row = (*about.of_event, about.round, about.test, kind, str(event.place), event.name, event.firm, hands)
    page.add(POSITIONS, row)


def firmware_update(
    about: About, event: ev.UpdateStarted | ev.UpdateVerified | ev.UpdateFailed, page: Page, state: str
) -> None:
    facts = {"before": event.before, "image": event.image, "signer": event.signer, "update": event.version}
    if isinstance(event, ev.UpdateFailed):
        facts["text"] = event.text
    running = event.version if isinstance(event, ev.UpdateVerified) else event.before
    _device(about, page, event.device, state, {"firmware": running, **facts})


def _device(about: About, page: Page, device: str, state: str, facts: dict[str, str]) -> None:
    page.add(
        DEVICES,
        (
            *about.of_event,
            device,
            state,
            facts.get("model", ""),
            facts.get("serial", ""),
            facts.get("firmware", ""),
            msgspec.json.encode(facts).decode(),
        ),
    )


class Act(Struct, frozen=True):
    """What a person did."""

    by: str
    """Empty where the event has it in its envelope only."""
    subject: str = ""
    reason: str = ""
    ok: bool = True


ACTS: dict[type[Event], Callable[[Any], Act]] = {
    ev.SignedIn: lambda e: Act(f"{e.role}:{e.name}", e.at, e.means),
    ev.SignedOut: lambda e: Act(f"{e.role}:{e.name}", e.at),
    ev.SignInFailed: lambda e: Act(e.name, e.at, e.means, ok=False),
    ev.Commanded: lambda e: Act(e.by, e.command, e.why, ok=e.ok),
    ev.TableConfigured: lambda e: Act(e.by, " ".join(e.changed)),
    ev.TableOpen: lambda e: Act(e.by),
    ev.TableShut: lambda e: Act(e.by, reason=e.reason),
    ev.DealerChanged: lambda e: Act(e.dealer, e.was),
    ev.DealerRelieved: lambda e: Act(e.by),
    ev.AlarmAcknowledged: lambda e: Act(e.by, e.alarm),
    ev.AlarmSettled: lambda e: Act(e.by, e.alarm, e.reason),
    ev.Corrected: lambda e: Act(e.by, f"round {e.round}", e.reason),
    ev.CorrectionWeighed: lambda e: Act(e.by, f"round {e.round}"),
    ev.RoundVoided: lambda e: Act("", e.ruling, e.reason),
    ev.FeesWaived: lambda e: Act("", f"{e.cents} cents", e.reason),
    ev.Resumed: lambda e: Act("", e.do, e.reason),
    ev.DropSettled: lambda e: Act(e.by, e.box, e.reason),
    ev.BoxIdentified: lambda e: Act(e.by, f"{e.box} {e.box_id}", e.seal),
    ev.BoxCounted: lambda e: Act(e.by, e.box_id, e.what),
    ev.DifferenceAccepted: lambda e: Act(e.by, f"entry {e.entry}", e.reason),
    ev.GameResumed: lambda e: Act(e.by, e.how, e.reason),
    ev.SeatForfeited: lambda e: Act(e.by, f"seat {e.seat}", e.reason),
    ev.HandsAllowed: lambda e: Act(e.by, f"seat {e.seat}", e.reason),
    ev.ShufflerFailed: lambda e: Act(e.by, e.follows),
    ev.JackpotWasHit: lambda e: Act(e.by, e.jackpot, e.reason),
    ev.JackpotNoHit: lambda e: Act(e.by, e.jackpot, e.reason),
    ev.JackpotAdjusted: lambda e: Act(e.by, e.jackpot, e.reason),
    ev.JackpotFeeDecided: lambda e: Act(e.by, f"round {e.round}", e.reason),
}
"""Events by which people are seen to act."""


def staff_act(about: About, kind: str, act: Act, page: Page) -> None:
    page.add(
        STAFF_ACTS,
        (
            *about.of_event,
            about.round,
            about.test,
            act.by or about.by,
            kind,
            act.subject,
            act.ok,
            act.reason,
        ),
    )
