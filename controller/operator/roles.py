"""Who may do what at a table: the roles, the rights that each has, and the right that each act or command needs.

The same page holds for everybody who asks, whichever way they come: a person at the console with a PIN or a badge, a
program over MQTT. How somebody proves a role is the way's own business (`staff` for people, the broker's access list
for programs: docs/mqtt/README.md); what the role may do is defined here and nowhere else.

    may(Role.DEALER, right_for(body))            an input from a person
    may(Role.FLOOR, Right.VOID)                  a right by its name
    may_command(Role.MONITOR, "replay")          a command by its name

What has no right (`right_for` returns None) is not for people: a device or the board itself reports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from controller.engine import inputs as happened
from controller.engine import jackpot_inputs, slip_inputs
from controller.engine.actor import Actor, ActorRole, Through


class Role(StrEnum):
    """What somebody is to the table."""

    DEALER = "dealer"
    """Deals: wagers, cards, decisions, seats, shoes."""
    FLOOR = "floor"
    """Supervises: everything that the dealer does, and what a dealer must ask the floor for."""
    TECHNICIAN = "technician"
    """Looks after the devices; has no part in the game."""
    MONITOR = "monitor"
    """Watches; changes nothing."""
    STORE = "store"
    """Keeps the events of tables, and confirms what it has (docs/mqtt/receipts.md); changes nothing."""
    PROGRAM = "program"
    """Signs people in itself, and asks in their names: a person's rights are those of his own role. Nobody on a staff
    has this role."""


class Right(StrEnum):
    """One thing that may be allowed or not."""

    DEAL = "deal"
    """All that a round asks a person for: wagers, cards keyed by hand, decisions, dice, what went wrong."""
    SEAT = "seat"
    """Seats and who sits there, player-dealer, button."""
    SHOE = "shoe"
    """A new shoe."""
    OPEN = "open"
    """Open and close the table."""
    RETIRE = "retire"
    """Take the table out of use, and end its journal."""
    UPDATE = "update"
    """Let the table fetch new staff, a new configuration, new software or its next certificate, which somebody else has
    signed."""
    RULES = "rules"
    """Choose the ruleset and the limits."""
    HOLD = "hold"
    """Hold a table, resume it, use stray cards."""
    VOID = "void"
    """Take a round back."""
    AMEND = "amend"
    """Correct what was misread or miskeyed."""
    ACKNOWLEDGE = "acknowledge"
    """Acknowledge an alarm."""
    EXPLAIN = "explain"
    """State what was found, and clear an alarm by that."""
    DROP = "drop"
    """Drop boxes: which is in, what was counted, what became of a difference; who deals."""
    JACKPOT = "jackpot"
    """Jackpots: a hit, an adjustment, the fee of a void round."""
    BLINK = "blink"
    """Let a device show where it is."""
    READ = "read"
    """Ask what changes nothing: `ping`, `replay`."""


_DEALER = frozenset({Right.DEAL, Right.SEAT, Right.SHOE, Right.READ})

PEOPLE = (Role.DEALER, Role.FLOOR, Role.TECHNICIAN, Role.MONITOR)
"""The roles of people."""

RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.DEALER: _DEALER,
    Role.FLOOR: frozenset(Right),
    Role.TECHNICIAN: frozenset({Right.ACKNOWLEDGE, Right.BLINK, Right.READ}),
    Role.MONITOR: frozenset({Right.READ}),
    Role.STORE: frozenset({Right.READ}),
    Role.PROGRAM: frozenset({Right.READ}),
}

COMMANDS: Mapping[str, Right] = {
    "open": Right.OPEN,
    "close": Right.OPEN,
    "retire": Right.RETIRE,
    "staff_update": Right.UPDATE,
    "config_update": Right.UPDATE,
    "software_update": Right.UPDATE,
    "certificate_update": Right.UPDATE,
    "rules": Right.RULES,
    "shoe": Right.SHOE,
    "seats": Right.SEAT,
    "bank": Right.SEAT,
    "person": Right.SEAT,
    "void": Right.VOID,
    "amend": Right.AMEND,
    "inputs": Right.AMEND,
    "acknowledge": Right.ACKNOWLEDGE,
    "explain_alarm": Right.EXPLAIN,
    "dealer": Right.DROP,
    "box": Right.DROP,
    "counted": Right.DROP,
    "explain": Right.DROP,
    "jackpot_hit": Right.JACKPOT,
    "jackpot_no_hit": Right.JACKPOT,
    "jackpot_adjust": Right.JACKPOT,
    "jackpot_fee": Right.JACKPOT,
    "report": Right.DEAL,
    "burn": Right.DEAL,
    "buy_in": Right.SEAT,
    "player": Right.HOLD,
    "blink": Right.BLINK,
    "replay": Right.READ,
    "ping": Right.READ,
}
"""The commands of MQTT by name, and the right that each needs."""

_INPUTS: Mapping[type, Right] = {
    happened.WagerPlaced: Right.DEAL,
    happened.BankPosted: Right.DEAL,
    happened.BetsClosed: Right.DEAL,
    happened.FeesIn: Right.DEAL,
    happened.Act: Right.DEAL,
    happened.DiceRolled: Right.DEAL,
    happened.Revealed: Right.DEAL,
    happened.Happening: Right.DEAL,
    happened.FloorCalled: Right.DEAL,
    happened.CardOut: Right.DEAL,
    happened.StackOut: Right.DEAL,
    happened.CutCardOut: Right.DEAL,
    slip_inputs.TakenBack: Right.DEAL,
    happened.TableSet: Right.SEAT,
    happened.BankAnswered: Right.SEAT,
    happened.PersonNamed: Right.SEAT,
    happened.BuyIn: Right.SEAT,
    happened.ShoeStarted: Right.SHOE,
    happened.PackReported: Right.SHOE,
    happened.Amended: Right.AMEND,
    happened.TableOpened: Right.OPEN,
    happened.TableClosed: Right.OPEN,
    happened.TableRetired: Right.RETIRE,
    happened.RulesChosen: Right.RULES,
    happened.AlarmSeenTo: Right.ACKNOWLEDGE,
    happened.AlarmExplained: Right.EXPLAIN,
    happened.DealerSigned: Right.DROP,
    happened.BoxKeyed: Right.DROP,
    happened.BoxCountedIn: Right.DROP,
    happened.DropExplained: Right.DROP,
    jackpot_inputs.JackpotHit: Right.JACKPOT,
    jackpot_inputs.JackpotNotHit: Right.JACKPOT,
    jackpot_inputs.JackpotAdjust: Right.JACKPOT,
    jackpot_inputs.JackpotFee: Right.JACKPOT,
    happened.Blinked: Right.BLINK,
}


_AS_ACTOR: Mapping[Role, ActorRole] = {
    Role.DEALER: "dealer",
    Role.FLOOR: "floor",
    Role.TECHNICIAN: "technician",
    Role.MONITOR: "monitor",
}


def actor_as(role: Role, name: str, through: Through, at: str) -> Actor:
    """A person in this role, as the journal names him.

    >>> actor_as(Role.FLOOR, "ann", "program", "pit").by
    'floor:ann'
    """
    return Actor(_AS_ACTOR[role], name, through, at)


def may(role: Role, right: Right | None) -> bool:
    """Whether a role has a right. Nobody has the right that there is none for.

    >>> may(Role.FLOOR, Right.VOID), may(Role.DEALER, Right.VOID), may(Role.FLOOR, None)
    (True, False, False)
    """
    return right is not None and right in RIGHTS[role]


def may_command(role: Role, command: str) -> bool:
    """Whether a role may give this command; nobody may give one that does not exist.

    >>> [may_command(Role.MONITOR, command) for command in ("replay", "void", "explode")]
    [True, False, False]
    """
    return may(role, COMMANDS.get(command))


def right_for(body: happened.AnyBody) -> Right | None:
    """The right that a person needs for this input; None where only devices report it.

    >>> right_for(happened.FloorAct("void")), right_for(happened.BetsClosed()), right_for(happened.TimePassed())
    (<Right.VOID: 'void'>, <Right.DEAL: 'deal'>, None)
    """
    if isinstance(body, happened.FloorAct):
        return Right.VOID if body.do == "void" else Right.HOLD
    return _INPUTS.get(type(body))
