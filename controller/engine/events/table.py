"""The table and its house: rules, seats, who deals, remote requests, and where its records are."""

from __future__ import annotations

from typing import Literal

from controller.engine.events.event import Event
from controller.engine.inputs import Place
from controller.engine.update_inputs import What


class TableStarted(Event, tag="table_started"):
    """The daemon has started. Seats and player-dealer are those in force from here on."""

    version: str
    ruleset: str
    digest: str
    test: bool = False
    seats: tuple[int, ...] = ()
    player_dealer: int | None = None


class TableConfigured(Event, tag="table_configured"):
    """The daemon has read its configuration again and goes by it from now on."""

    by: str
    changed: tuple[str, ...]
    """Keys of the file, as mqtt.broker.port."""
    file: str
    """SHA-256 of the file."""
    seats: tuple[int, ...] = ()
    """Seats and player-dealer from here on."""
    player_dealer: int | None = None


class TableSetTo(Event, tag="table_set"):
    seats: tuple[int, ...]
    player_dealer: int | None = None
    button: int | None = None


class TableOpen(Event, tag="table_opened"):
    """Rounds may begin."""

    by: str


class TableShut(Event, tag="table_closed"):
    """No further round begins; one that is running is played to its end."""

    by: str
    reason: str = ""


class UpdateCame(Event, tag="update_taken"):
    """A bundle was taken by its signed reference (docs/mqtt/references.md). Its content is not published."""

    by: str
    what: What
    address: str
    size: int
    sha256: str
    issued: int
    """When the reference was signed, milliseconds since 1970 UTC."""
    serial: int
    key: str
    """The first 16 hex digits of the SHA-256 of the public key that signed it."""
    text: str = ""
    """What changed, for people."""


class TableGone(Event, tag="table_retired"):
    """The table is out of use. This is in the last entry of its journal; a signed checkpoint of the end follows."""

    by: str
    reason: str


class RulesSet(Event, tag="rules_set"):
    """The rules and limits of the rounds from here on."""

    ruleset: str
    digest: str
    min_wager: int = 0
    max_wager: int | None = None
    """Null: no limit but the ruleset's."""


class SignedIn(Event, tag="signed_in"):
    """A person has signed in at the console, or proved at a key panel who he is."""

    name: str
    role: str
    at: str
    """The console, or a key panel by its name."""
    client: str
    """The address it came from; "board" for the board itself."""
    means: str
    """`pin` or `badge`."""
    others: int = 0
    """Failed tries before that have no event of their own."""


class SignedOut(Event, tag="signed_out"):
    """A person has signed out at the console."""

    name: str
    role: str
    at: str
    client: str
    """The address it came from; "board" for the board itself."""


class SignInFailed(Event, tag="sign_in_failed"):
    """A wrong PIN or badge. Many in a short time are counted in one event."""

    at: str
    client: str
    means: str
    name: str = ""
    """Whose PIN it was to be; empty where it is nobody on the staff."""
    wait_s: int = 0
    """How long the client must wait now."""
    others: int = 0
    """Failed tries before this one that have no event of their own."""


class DealerChanged(Event, tag="dealer_changed"):
    """Who deals from now on; empty: nobody is signed on."""

    dealer: str
    was: str = ""


class BankOfferDue(Event, tag="bank_offer_due"):
    """The player-dealer has had his hands: no further hand begins before the position was offered on."""

    player_dealer: int
    hands: int
    rotation: Literal["stop", "limit", "offer"]
    """The game is broken without another player-dealer; another must bank; the same goes on if everybody declines."""
    offered: tuple[Place, ...] = ()
    """To whom, in the printed order."""


class BankDeclined(Event, tag="bank_declined"):
    """These were offered the player-dealer's position and declined it."""

    places: tuple[Place, ...]
    """Empty: everybody, at a table whose seats are not recorded."""


class BankTaken(Event, tag="bank_taken"):
    """The player-dealer's position is taken."""

    place: Place
    """A seat, or a square of it."""
    how: Literal["offered", "set"]
    """`set`: the table was set with the person there, without an offer."""
    name: str = ""
    """Name or badge, where it is known."""
    firm: str = ""


class BankKept(Event, tag="bank_kept"):
    """Everybody who was offered the position declined it: the same player-dealer goes on."""

    place: Place
    name: str = ""
    firm: str = ""


class GameBroken(Event, tag="game_broken"):
    """Nobody else takes the player-dealer's position: the game is broken, as the approval has it."""

    place: Place
    """Who held it last."""
    hands: int
    name: str = ""
    firm: str = ""


class GameResumed(Event, tag="game_resumed"):
    """A broken game goes on: with another player-dealer, or after a reasonable time by the floor's decision."""

    how: Literal["another_player_dealer", "after_a_reasonable_time"]
    by: str
    reason: str = ""


class PersonSeated(Event, tag="person_named"):
    """Who is at a seat or a square."""

    place: Place
    name: str = ""
    badge: str = ""
    firm: str = ""
    another: bool = False
    """Another person than the one who was there."""


class Commanded(Event, tag="command"):
    """A remote request was carried out or refused; the events before it, of the same time, are what it did."""

    command: str
    by: str
    request: str
    ok: bool
    why: str = ""


class ReplayDiffered(Event, tag="replay_differed"):
    """At a start, entry `entry` of the journal came out otherwise when it was applied again: the table is held until
    the floor has accepted that. What was published before stays published."""

    entry: int
    text: str
    running: bool
    """A round was running: it can only be void."""


class DifferenceAccepted(Event, tag="difference_accepted"):
    """The floor has seen that entry `entry` of the journal does not come out the same, and lets the table go on."""

    entry: int
    by: str
    reason: str = ""


class ClockChanged(Event, tag="clock_changed"):
    """The board's clock: kept by a time server (`synced`), by nobody (`free`), or set by somebody (`stepped`)."""

    clock: Literal["synced", "free", "stepped"]
    before: int = 0
    """Of a clock that was set: what it would have said."""
    after: int = 0
    """What it said then."""


class JournalRotated(Event, tag="journal_rotated"):
    """The journal's entries `first` to `last` are in an archive now; `hash` is its last one, for whoever keeps it."""

    file: str
    first: int
    last: int
    hash: str


class ArchiveRemoved(Event, tag="archive_removed"):
    """The entries `first` to `last` are no longer kept, after `keep_days` days."""

    file: str
    first: int
    last: int
    hash: str
    keep_days: int
