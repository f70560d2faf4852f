"""21st Century Baccarat 9.0, "Baccarat Royale": the players' line decides on a five against an open five or six.

Sheet: village-21st-century-baccarat-9-0. All cards lie face down; the player hand is opened first, then the dealer's
first card. The hole card is the engine's secret until the dealer opens it: it stops the draw where it makes a natural
(reading A3), and it places the action button.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from controller.engine import events as ev
from controller.engine.bets.action_button import by_card
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import RANKS, Card
from controller.engine.expect.choices import Choice
from controller.engine.inputs import Happening, Place, seat_of
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import HistoryEntry, Ruling
from controller.games.baccarat.facts import facts_of
from controller.games.baccarat.options import RoyaleOptions
from controller.games.baccarat.script import Baccarat, side_bet
from controller.games.baccarat.settlement import Verdict, places_from, positions, settle
from controller.games.baccarat.third_card import COUNTS, POINTS, banker_draws, is_natural, player_draws, total, winner

LINES = ("player_line", "dealer_line")
NO_ROW = "none"
SHUFFLER_FAILURE, HAND_SHUFFLE = "shuffler_failure", "hand_shuffle"
BLACK = (0, 3)
"""Clubs and spades, as `Card.suit` counts them."""


class CenturyBaccarat(Baccarat[RoyaleOptions]):
    """21st Century Baccarat 9.0."""

    slug = "21st-century-baccarat-9-0"
    title = "21st Century Baccarat 9.0"
    options_type = RoyaleOptions
    back_line_decisions: ClassVar[tuple[str, ...]] = ("play",)
    bank_hand: ClassVar[str] = "dealer"
    lines: ClassVar[tuple[str, str]] = LINES
    pair_marks: ClassVar[tuple[tuple[str, str], ...]] = (("player", "player_pair"), ("dealer", "banker_pair"))
    not_by_points: ClassVar[frozenset[str]] = frozenset({"player_line", "royale_bonus"})
    wagers: ClassVar[tuple[WagerRule, ...]] = (
        WagerRule("player_line", "Player"),
        WagerRule("dealer_line", "Dealer"),
        side_bet("tie", "Tie", needs=LINES),
        side_bet("royale_bonus", "Royale Bonus", needs=LINES),
    )
    passes: ClassVar[tuple[tuple[str, ...], ...]] = (LINES, ("royale_bonus",), ("tie",))

    def play(self, t: Table, options: RoyaleOptions) -> Script:
        yield from self.betting(t, options)
        player, dealer = t.hand("player"), t.hand("dealer")
        yield from t.deal_in_turn((player, dealer), 2)
        yield from t.show(player)
        yield from t.show(dealer, first=1)
        yield from t.name_unread(dealer, asks="look at the hole card and leave it face down")
        two_cards, row = total(player), royale_row(player.cards, dealer.cards, options)
        natural = is_natural(two_cards, total(dealer))
        stands: set[Place] = set()
        third: int | None = None
        has_option = False
        if not natural and player_draws(two_cards):
            has_option = two_cards == 5 and POINTS[dealer.slots[0].card.rank] in options.option_cards
            if has_option:
                t.result.flags["player_option"] = True
                stands = yield from self._ask(t, options, two_cards, POINTS[dealer.slots[0].card.rank])
            slot = yield from t.deal(player, says="Player draws")
            third = POINTS[slot.card.rank]
        yield from t.show(dealer)
        if not natural and banker_draws(total(dealer), third):
            yield from t.deal(dealer, says="Dealer draws")
        self.resolve(t, total(player), total(dealer), {"player_option": has_option, "natural": natural})
        self.record(t)
        facts_of(t).royale_hand = row
        self._settle(t, options, row, stands, two_cards)

    def _ask(self, t: Table, options: RoyaleOptions, player: int, shown: int) -> Move[set[Place]]:
        """Every bettor of the player line, clockwise from the player-dealer's left (reading A9); returns who stands."""
        stands: set[Place] = set()
        choices = (Choice("hit", by=("house",)), Choice("stand"))
        for place in places_from(t, (t.player_dealer or 0) + 1):
            if not t.book[place].get("player_line"):
                continue
            seat = seat_of(place)
            if options.back_line.play == "seat" and place != seat and t.book.get(seat, {}).get("player_line"):
                does = "stand" if seat in stands else "hit"
                t.emit(ev.Decided(place, does))
            else:
                act = yield from t.ask(place, choices, asks=f"Player has {player}, the dealer shows a {shown}")
                does = act.do
            if does == "stand":
                stands.add(place)
        return stands

    def _settle(self, t: Table, options: RoyaleOptions, row: str, stands: set[Place], two_cards: int) -> None:
        """From the action button, which the hole card places: base wagers, then the bonus, ties last (978).

        Who stands is compared with the player's first two cards.
        """
        first = 1
        if t.player_dealer is not None:
            hole = t.hand("dealer").slots[1].card
            first = by_card(COUNTS[hole.rank], t.player_dealer, positions(t, options))
            t.result.action_seat = first
            t.emit(ev.ActionButton(first))
        p, d = t.result.totals["player"][0], t.result.totals["dealer"][0]
        pays = options.pays
        paid, player_odds = pays.royale_bonus.get(row), Odds(pays.player_line)
        verdicts: dict[str, Verdict] = {
            "player_line": _line(p, d, player_odds),
            "dealer_line": _line(d, p, Odds(pays.dealer_line)),
            "tie": Odds(pays.tie) if p == d else "lose",
            "royale_bonus": "lose" if paid is None else Odds(paid),
        }
        stood = _line(two_cards, d, player_odds)
        settle(
            t,
            self.passes,
            places_from(t, first),
            verdicts,
            {(place, "player_line"): stood for place in stands},
            rounding=options.rounding,
        )

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return {SHUFFLER_FAILURE: _hand_shuffle}

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        return {**super().board(history), "history": [self.entry(past.outcome) for past in history]}


def royale_row(player: Sequence[Card], dealer: Sequence[Card], options: RoyaleOptions) -> str:
    """The highest row of the pay table that the first four cards fill, or `none`.

    Pairs count within one hand only, every other row over all four cards (974-977).
    """
    made = _hands_made(player, dealer, options.royal)
    filled = [row for row in options.pays.royale_bonus if row in made]
    if not filled:
        return NO_ROW
    if options.royale_highest == "best_paid":
        return max(filled, key=lambda row: Odds(options.pays.royale_bonus[row]).payoff(100))
    return filled[0]


def _hands_made(player: Sequence[Card], dealer: Sequence[Card], royal: str) -> set[str]:
    four = [*player[:2], *dealer[:2]]
    ranks = sorted(card.rank for card in four)
    made: set[str] = set()
    if len({card.suit for card in four}) == 1 and len(set(ranks)) == 4:
        names = {RANKS[rank - 2] for rank in ranks}
        if names == set(royal):
            made.add("royal_flush")
        if ranks[3] - ranks[0] == 3 or ranks == [2, 3, 4, 14]:
            made.add("straight_flush")
    if ranks[0] == ranks[3]:
        made.add("four_of_a_kind")
    elif ranks[0] == ranks[1] and ranks[2] == ranks[3]:
        made.add("two_pair")
    for one, other in (player[:2], dealer[:2]):
        if one.rank == other.rank:
            made.add("pair")
            if one.suit == other.suit:
                made.add("pair_suited")
            if (one.suit in BLACK) == (other.suit in BLACK):
                made.add("pair_same_color")
    return made


def _line(mine: int, other: int, odds: Odds) -> Verdict:
    won = winner(mine, other)
    if won == "tie":
        return "push"
    return odds if won == "player" else "lose"


def _hand_shuffle(t: Table, _: Happening) -> None:
    """Without the machine the dealer shuffles; cards already dealt stand and the round goes on (960, C6)."""
    t.rule(HAND_SHUFFLE)
