"""One journal's events in order, each to what is worked out of it."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.contract import decode_event
from controller.contract import events as ev
from floor.store.derived import house, jackpots, money, rounds
from floor.store.derived.about import About
from floor.store.derived.context import Context
from floor.store.derived.page import Page, TooLarge

_OTHERS: tuple[type[ev.Event], ...] = (
    ev.RoundStarted,
    ev.WagerSet,
    ev.BettingClosed,
    ev.RoundSettled,
    ev.FeeChanged,
    ev.BoxTold,
    ev.DropMatched,
    ev.DropDiffers,
    ev.BoxReckoned,
    ev.AlarmRaised,
    ev.AlarmChanged,
    ev.AlarmCleared,
    ev.DeviceChanged,
    ev.UpdateStarted,
    ev.UpdateVerified,
    ev.UpdateFailed,
    ev.JackpotOpened,
    ev.JackpotContributed,
    ev.JackpotFeeAside,
    ev.JackpotPaid,
    ev.JackpotReseeded,
    ev.BankTaken,
    ev.BankKept,
    ev.GameBroken,
    ev.PackReady,
)
_BOOKED = {str(kind.__struct_config__.tag) for kind in (*_OTHERS, *house.ACTS)}
"""Kinds of events that make rows. What another kind, or a later version, has is in `events` all the same."""
_CARD_DEALT = str(ev.CardDealt.__struct_config__.tag)


class Unbookable(ValueError):
    """An event that follows from the one before it, and is not of the form of its kind."""


def follows_from(kind: str) -> bool:
    """Whether anything follows from events of this kind."""
    return kind == _CARD_DEALT or kind in _BOOKED


def book(context: Context, about: About, kind: str, body: bytes, page: Page) -> None:
    """Works the rows of this event out. `Unbookable`: none were made."""
    if kind == _CARD_DEALT:
        rounds.card_dealt(context, body)
        return
    if kind not in _BOOKED:
        return
    try:
        event = decode_event(body)
        _book(context, about, kind, event, page)
    except (msgspec.MsgspecError, TooLarge, TypeError, ValueError, AttributeError) as error:
        raise Unbookable(f"{kind}: {error}") from None


def _book(context: Context, about: About, kind: str, event: Any, page: Page) -> None:
    act = house.ACTS.get(type(event))
    if act is not None:
        house.staff_act(about, kind, act(event), page)
    match event:
        case ev.WagerSet():
            rounds.wagered(context, event)
        case ev.FeeChanged():
            money.fee_changed(context, about, event, page)
        case ev.RoundStarted():
            rounds.started(context, about, event)
        case ev.BettingClosed():
            rounds.betting_closed(context, about)
        case ev.RoundSettled():
            rounds.settled(context, about, event, page)
        case ev.RoundVoided():
            rounds.voided(context, about, event, page)
        case ev.Corrected():
            rounds.corrected(context, about, event, page)
        case ev.DealerChanged():
            context.dealer = event.dealer
        case ev.DropMatched():
            money.drop_matched(context, about, event, page)
        case ev.DropDiffers():
            money.drop_differs(context, about, event, page)
        case ev.BoxTold():
            money.fell(context, about, event, page)
        case ev.BankTaken() | ev.BankKept() | ev.GameBroken():
            house.position(about, event, page)
        case ev.PackReady():
            house.pack_ready(context, about, event, page)
        case ev.DropSettled():
            money.drop_explained(context, about, event, page)
        case ev.BoxReckoned():
            money.box_taken(context, about, event, page)
        case ev.BoxCounted():
            money.box_counted(context, about, event, page)
        case ev.AlarmRaised():
            house.alarm_raised(context, about, event, page)
        case ev.AlarmChanged():
            house.alarm_changed(context, about, event, page)
        case ev.AlarmAcknowledged():
            house.alarm_acknowledged(context, about, event, page)
        case ev.AlarmSettled():
            house.alarm_settled(context, about, event, page)
        case ev.AlarmCleared():
            house.alarm_cleared(context, about, event, page)
        case ev.DeviceChanged():
            house.device_changed(context, about, event, page)
        case ev.UpdateStarted():
            house.firmware_update(about, event, page, "updating")
        case ev.UpdateVerified():
            house.firmware_update(about, event, page, "updated")
        case ev.UpdateFailed():
            house.firmware_update(about, event, page, "update_failed")
        case (
            ev.JackpotOpened()
            | ev.JackpotContributed()
            | ev.JackpotFeeAside()
            | ev.JackpotFeeDecided()
            | ev.JackpotPaid()
            | ev.JackpotReseeded()
            | ev.JackpotAdjusted()
        ):
            jackpots.changed(about, event, page)
