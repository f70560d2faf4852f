"""The scripts of the EZ games, one for each room, and what every end of a round says of the wagers.

It is one of the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from controller.engine import events as ev
from controller.engine.bets.action_button import by_card
from controller.engine.bets.wagers import WagerRule, action
from controller.engine.cards.card import Hand
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table
from controller.games.baccarat.dealing import resolve, third_cards
from controller.games.baccarat.drawing import COUNTS, total
from controller.games.baccarat.options import EzOptions, EzPanda8Options, EzPays
from controller.games.baccarat.settlement import Verdict, due, places_from, positions, settle

if TYPE_CHECKING:
    from controller.games.baccarat.ez import EzBaccarat, EzPanda8


def is_dragon_7(player: int, banker: int, banker_cards: int) -> bool:
    """The banker wins with a three-card seven."""
    return banker == 7 and banker_cards == 3 and player < 7


def is_panda_8(player: int, banker: int, player_cards: int) -> bool:
    """The player wins with a three-card eight."""
    return player == 8 and player_cards == 3 and banker < 8


def panda_8(game: EzPanda8, t: Table, options: EzPanda8Options) -> Script:
    """EZ Baccarat Panda 8: everything face up, wager by wager settled from the left of the player-dealer."""
    yield from game.betting(t, options)
    player, banker = t.hand("player"), t.hand("banker")
    yield from t.deal_in_turn((player, banker), 2, up=True)
    natural = yield from third_cards(t, player, banker, "Banker draws")
    p, b = total(player), total(banker)
    dragon_7, panda_8 = is_dragon_7(p, b, len(banker.slots)), is_panda_8(p, b, len(player.slots))
    flags = {"dragon_7": dragon_7, "panda_8": panda_8, "natural": natural}
    resolve(t, p, b, flags, bank_hand="banker", pair_marks=game.pair_marks)
    if t.book:
        # Wager type outside, seats inside, clockwise from the left of the player-dealer (reading A5).
        settle(t, game.passes, places_from(t, (t.player_dealer or 0) + 1), verdicts(game, t, options))


def with_button(game: EzBaccarat, t: Table, options: EzOptions) -> Script:
    """EZ Baccarat: dealt face down, and an action button when money is short."""
    yield from game.betting(t, options)
    player, banker = t.hand("player"), t.hand("banker")
    yield from t.deal_in_turn((player, banker), 2)
    yield from t.show(player)
    yield from t.show(banker)
    natural = yield from third_cards(t, player, banker, "Banker draws")
    p, b = total(player), total(banker)
    flags = {"dragon_7": is_dragon_7(p, b, len(banker.slots)), "natural": natural}
    resolve(t, p, b, flags, bank_hand="banker", pair_marks=game.pair_marks)
    game.record(t)
    _settle_with_button(game, t, options, banker)


def _settle_with_button(game: EzBaccarat, t: Table, options: EzOptions, banker: Hand) -> None:
    said = verdicts(game, t, options)
    if t.player_dealer is None or _is_covered(t, said):
        # Seat by seat from the left of the casino dealer (1359).
        for place in places_from(t, 1):
            settle(t, game.passes, (place,), said)
        return
    seat = by_card(COUNTS[banker.slots[1].card.rank], t.player_dealer, positions(t, options))
    t.result.action_seat = seat
    t.emit(ev.ActionButton(seat))
    settle(t, game.passes, places_from(t, seat), said)


def _is_covered(t: Table, said: Mapping[str, Verdict]) -> bool:
    """Whether the player-dealer's money reaches for all that was wagered (1311) and all that is due."""
    return t.bank is None or sum(t.bank) >= max(action(t.book), due(t, said))


def verdicts(game: EzPanda8 | EzBaccarat, t: Table, options: EzOptions) -> dict[str, Verdict]:
    """What becomes of every wager."""
    outcome, flags = str(t.result.outcome), t.result.flags
    pushes: tuple[str, ...] = game.lines if outcome == "tie" else ()
    if flags["dragon_7"] and options.banker_three_card_seven == "push":
        pushes = ("banker_line",)
    wins = (f"{outcome}_line", outcome, *[name for name in game.marks if flags[name]])
    return _said(game.wagers, options.pays, wins, pushes)


@lru_cache(maxsize=256)
def _said(
    wagers: tuple[WagerRule, ...], pays: EzPays, wins: tuple[str, ...], pushes: tuple[str, ...]
) -> dict[str, Verdict]:
    """A round has few ends, so what each of them says of every wager is worked out once."""
    said: dict[str, Verdict] = {}
    for rule in wagers:
        wager = rule.id
        if wager in pushes:
            said[wager] = "push"
        else:
            said[wager] = Odds(getattr(pays, wager)) if wager in wins else "lose"
    return said
