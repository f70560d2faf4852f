"""Commission-Free Baccarat with the Dragon Bonus: a banker six pays half, and a bet on winning by four or more.

Sheet: turlock-commission-free-baccarat-dragon-bonus.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.action_button import by_card_from_first, moves_on
from controller.engine.bets.wagers import WagerRule, action
from controller.engine.inputs import seat_of
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table
from controller.games.baccarat.facts import facts_of
from controller.games.baccarat.options import DragonOptions, SpotLimit
from controller.games.baccarat.script import LINES, Baccarat, third_cards
from controller.games.baccarat.settlement import Verdict, places_from, positions, settle
from controller.games.baccarat.third_card import COUNTS, total


def _wager(id: str, title: str, *, needs: tuple[str, ...] = (), counts_as: str = "bonus") -> WagerRule:
    return WagerRule(
        id,
        title,
        needs=needs,
        needs_code="needs_line_wager",
        min_code="outside_limits",
        max_code="outside_limits",
        counts_as=counts_as,
    )


class CommissionFreeBaccarat(Baccarat[DragonOptions]):
    """Commission-Free Baccarat Dragon Bonus."""

    slug = "commission-free-baccarat-dragon-bonus"
    title = "Commission-Free Baccarat"
    options_type = DragonOptions
    wagers: ClassVar[tuple[WagerRule, ...]] = (
        _wager("player_line", "Player", counts_as="base"),
        _wager("banker_line", "Banker", counts_as="base"),
        _wager("tie", "Tie"),
        _wager("player_dragon", "Player Dragon", needs=LINES),
        _wager("banker_dragon", "Banker Dragon", needs=LINES),
    )
    passes: ClassVar[tuple[tuple[str, ...], ...]] = tuple((rule.id,) for rule in wagers)

    def play(self, t: Table, options: DragonOptions) -> Script:
        yield from self.betting(t, options)
        facts_of(t).total_action = action(t.book)
        player, banker = t.hand("player"), t.hand("banker")
        yield from t.deal_in_turn((player, banker), 2, up=True)
        naturals = {"player_natural": total(player) >= 8, "banker_natural": total(banker) >= 8}
        natural = yield from third_cards(t, player, banker, "Banker draws")
        self.resolve(t, total(player), total(banker), {**naturals, "natural": natural})
        settle(
            t,
            self.passes,
            places_from(t, self._place_button(t, options)),
            self.verdicts(t, options),
            rounding=options.rounding,
        )

    def _offered(self, t: Table, options: DragonOptions) -> tuple[WagerRule, ...]:
        """Each betting space within its own limits, where it has some (2642-2645)."""
        return tuple(_limited(rule, getattr(options.limits, rule.id)) for rule in super()._offered(t, options))

    def _place_button(self, t: Table, options: DragonOptions) -> int:
        """By the banker's second card, counted from the house dealer's left without the player-dealer; then on to the
        first seat with a wager (reading A4)."""
        value = COUNTS[t.hand("banker").slots[1].card.rank]
        seat = by_card_from_first(value, t.player_dealer, positions(t, options))
        if t.book:
            seat = moves_on(seat, {seat_of(place) for place in t.book})
        t.result.action_seat = seat
        t.emit(ev.ActionButton(seat))
        return seat

    def verdicts(self, t: Table, options: DragonOptions) -> dict[str, Verdict]:
        result, pays = t.result, options.pays
        player, banker = result.totals["player"][0], result.totals["banker"][0]
        naturals = result.flags["player_natural"], result.flags["banker_natural"]
        banker_odds = Odds(pays.banker_six if banker == 6 else pays.banker_line)
        tie = player == banker
        return {
            "player_line": "push" if tie else Odds(pays.player_line) if player > banker else "lose",
            "banker_line": "push" if tie else banker_odds if banker > player else "lose",
            "tie": Odds(pays.tie) if tie else "lose",
            "player_dragon": dragon(player, banker, naturals[0], options),
            "banker_dragon": dragon(banker, player, naturals[1], options),
        }


def _limited(rule: WagerRule, own: SpotLimit | None) -> WagerRule:
    return rule if own is None else replace(rule, min=own.min, max=own.max, any_minimum=True)


def dragon(mine: int, other: int, natural: bool, options: DragonOptions) -> Verdict:
    """A Dragon Bonus on the hand that has `mine`; two naturals that tie push, any other tie loses (2805-2859)."""
    if mine == other:
        return "push" if natural else "lose"
    if mine < other:
        return "lose"
    table = options.pays.dragon
    by = mine - other
    margin = Odds(getattr(table, f"by_{by}")) if by >= 4 else None
    if not natural:
        return "lose" if margin is None else margin
    flat = Odds(table.natural)
    if options.dragon_natural == "best" and margin is not None:
        return max(flat, margin, key=lambda odds: Fraction(odds.to, odds.against))
    return flat
