"""All events as one type, and as the JSON that the journal keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from controller.engine.events import boxes, cards, devices, fees, round, table
from controller.engine.events.event import Event

AnyEvent = (
    table.TableStarted
    | table.TableConfigured
    | table.TableSetTo
    | table.TableOpen
    | table.TableShut
    | table.RulesSet
    | table.DealerChanged
    | table.BankOfferDue
    | table.Commanded
    | table.ReplayDiffered
    | table.DifferenceAccepted
    | table.JournalRotated
    | table.ArchiveRemoved
    | round.RoundStarted
    | round.BankSet
    | round.WagerSet
    | round.BettingClosed
    | round.ActionButton
    | round.Decided
    | round.ChipsPaid
    | round.StreetDealt
    | round.Refused
    | round.Irregularity
    | round.Ruled
    | round.Held
    | round.Resumed
    | round.RoundSettled
    | round.RoundVoided
    | round.CorrectionWeighed
    | round.Corrected
    | cards.CardDealt
    | cards.CardBurned
    | cards.CardsTakenBack
    | cards.CardNamed
    | cards.HandShown
    | cards.HandSet
    | cards.DiceShown
    | cards.PileGiven
    | cards.ShoeBegan
    | cards.ShoeEnded
    | cards.CutCardSeen
    | cards.PackReady
    | cards.PackUnfit
    | cards.PackInPlay
    | cards.PackEnded
    | fees.FeeDue
    | fees.FeeNotTaken
    | fees.FeesWaived
    | fees.FeesDropped
    | fees.FreeCollection
    | boxes.BoxTold
    | boxes.BoxIdentified
    | boxes.DropMatched
    | boxes.DropDiffers
    | boxes.DropSettled
    | boxes.BoxReckoned
    | boxes.BoxCounted
    | devices.DeviceChanged
    | devices.UpdateStarted
    | devices.UpdateVerified
    | devices.UpdateFailed
    | devices.AlarmRaised
    | devices.AlarmCleared
    | devices.AlarmAcknowledged
    | devices.AlarmSettled
)

_encoder = msgspec.json.Encoder()


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


encode_events: Callable[[Sequence[Event]], bytes] = _encoder.encode
"""All events of one input, as the JSON array that the journal keeps."""

encode_lines: Callable[[Sequence[Sequence[Event]]], bytes] = _encoder.encode_lines
"""Those of many inputs, a line each."""


def decode_event(data: bytes) -> AnyEvent:
    event: AnyEvent = _decoder().decode(data)
    return event


@cache
def _decoder() -> msgspec.json.Decoder[AnyEvent]:
    """Built on demand: it takes long for that number of types, and a table that is dealt only writes events."""
    return msgspec.json.Decoder(AnyEvent)
