"""Irregularities of Pai Gow Tiles: the cup, and tiles that were exposed in the room that deals stacks (797-810)."""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.cards.card import Card, card
from controller.engine.inputs import Happening, seat_of
from controller.engine.round.felt import Table, Unruled, Voided
from controller.games.pai_gow_tiles.hand import TileHand

ACCEPT, HAND_DEAD = "accept", "hand_dead_bets_returned"
SPECIAL_SPOTS = (2, 12)
GEE_JOON_TILES = ("1-2", "2-4")


def cup_opened(t: Table, body: Happening) -> None:
    """The cup is open: no more bets, whatever the dice show."""
    if not isinstance(t.script_state, TileHand):
        raise Unruled("no hand is being dealt")
    t.close_wagers()


def _hand_of(t: Table, body: Happening) -> TileHand:
    hand = t.script_state
    if not isinstance(hand, TileHand) or not hand.options.rulings.get(body.code):
        word = hand.options.unruled if isinstance(hand, TileHand) else ""
        raise Unruled(f"{body.code.replace('_', ' ')}: this room has no rule for it", word)
    return hand


def _exposed(body: Happening) -> list[Card]:
    return [card(code) for code in [*body.cards, *([body.card] if body.card else [])]]


def while_stacking(tiles: Sequence[Card], count: int) -> str:
    """A 2, 12, low 3 or low 6, or two tiles: shuffled again; one other tile is accepted (799-800, PGT-5)."""
    if count > 1:
        return "reshuffle_all"
    special = any(tile.rank in SPECIAL_SPOTS or tile.code in GEE_JOON_TILES for tile in tiles)
    return "reshuffle" if special else ACCEPT


def to_seat(tiles: Sequence[Card], count: int, *, player_dealer: bool) -> str:
    """Tiles of one seat turned over as they were given out, one after the other or at once (804-810)."""
    if not player_dealer:
        return HAND_DEAD if count > 1 else ACCEPT
    if count > 1:
        return "reshuffle_and_restack"
    return "reshuffle_all" if any(tile.rank in SPECIAL_SPOTS for tile in tiles) else ACCEPT


def exposed_while_stacking(t: Table, body: Happening) -> None:
    """A 2, 12, low 3 or low 6, or two tiles: the round is void and all is shuffled again; else it is accepted."""
    hand, tiles = _hand_of(t, body), _exposed(body)
    hand.exposed_stacking += max(1, len(tiles))
    word = while_stacking(tiles, hand.exposed_stacking)
    if word != ACCEPT:
        raise Voided(word, "exposed while stacking")
    t.rule(word)


def exposed_to_seat(t: Table, body: Happening) -> None:
    """One tile is accepted, of the player-dealer not a 2 or 12; two of a player: the hand is dead; of the
    player-dealer: the round is void."""
    hand, tiles = _hand_of(t, body), _exposed(body)
    if body.seat is None:
        raise Unruled("say whose tiles they were")
    seat = seat_of(body.seat)
    seen = max(len(tiles), int(body.facts.get("count", 1)))
    hand.exposed_to[seat] = count = hand.exposed_to.get(seat, 0) + seen
    word = to_seat(tiles, count, player_dealer=seat == t.player_dealer)
    if word not in (ACCEPT, HAND_DEAD):
        raise Voided(word, "tiles of the player-dealer were exposed")
    if word == HAND_DEAD and not hand.plays(seat):
        raise Unruled("that seat has no wager")
    t.rule(word, seat)
    if word == HAND_DEAD and seat not in hand.dead:
        hand.kill(seat)
