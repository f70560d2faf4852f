"""Fortune Pai Gow Poker as a script: piles, dice, two hands each, a bonus and envy.

Sheet: turlock-fortune-pai-gow-poker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from controller.engine import events as ev
from controller.engine.action_button import by_dice, clockwise_from, moves_on
from controller.engine.cards import card, codes, standard_deck
from controller.engine.expect import Choice, WantFloor
from controller.engine.felt import Move, Script, Table
from controller.engine.game import Game
from controller.engine.house_way import Arranged, Setting
from controller.engine.inputs import seat_of
from controller.games.ante import give_back, tell_outcomes
from controller.games.pai_gow.options import FortuneOptions
from controller.games.pai_gow.piles import CARDS_IN_A_PILE, PLAYER_DEALER, deal_back_and_forth, deliver, distribute
from controller.games.pai_gow.setting import Chosen, Setter, in_turn
from controller.games.pai_gow.settling import Outcome, compare, envy_buttons, outcome, settle


class FortunePaiGow(Game[FortuneOptions]):
    """Fortune Pai Gow Poker."""

    slug = "fortune-pai-gow-poker"
    title = "Fortune Pai Gow Poker"
    options_type = FortuneOptions
    turns_as_player_dealer: ClassVar[int | None] = 2

    def deck(self, options: FortuneOptions) -> Mapping[str, int]:
        return {card.code: 1 for card in standard_deck(jokers=1)}

    def play(self, t: Table, options: FortuneOptions) -> Script:
        yield from self._wait_for_player_dealer(t, options)
        in_play = yield from self._take_wagers(t, options)
        yield from t.collect_fees(options.schedule, "before_deal")
        action_pile = yield from self._make_piles(t, options)
        yield from t.collect_fees(options.schedule, "before_dice_open")
        action_seat = yield from self._give_out(t, options, action_pile, in_play)
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        order = clockwise_from(action_seat, in_play)
        hands = yield from self._set(t, options, order)
        self._resolve(t, options, hands)
        self._settle(t, options, action_seat, order)

    def _wait_for_player_dealer(self, t: Table, options: FortuneOptions) -> Move[None]:
        """The dice count from the player-dealer: without him there is no hand. Only the table's setting changes it."""
        here = {*t.seats, t.player_dealer}
        text = f"set the player-dealer and the seats, 1 to {options.positions}"
        while not here <= set(range(1, options.positions + 1)):
            yield from t.wait_for(WantFloor("no_player_dealer", text, ()))

    def _take_wagers(self, t: Table, options: FortuneOptions) -> Move[set[int]]:
        """The seats that play."""
        more = t.result.more
        more["envy_buttons"] = []

        def noted() -> None:
            more["envy_buttons"] = envy_buttons(t, options)

        yield from t.take_wagers(options.wagers, options.schedule, noted=noted)
        if not t.setup.records_wagers:
            return {seat for seat in t.seats if seat != t.player_dealer}
        for place in [place for place, wagers in t.book.items() if options.base_wager not in wagers]:
            give_back(t, place)
        noted()
        if not t.book:
            t.void("nobody_dealt_in", "no seat has a Pai Gow wager")
        return {seat_of(place) for place in t.book}

    def _make_piles(self, t: Table, options: FortuneOptions) -> Move[int]:
        """The action pile: the first that the shuffler delivers, or the one that the player-dealer names (A12)."""
        if options.deal_device == "shuffler":
            yield from deliver(t, options.positions)
            return 1
        left_over = sum(self.deck(options).values()) - options.positions * CARDS_IN_A_PILE
        yield from deal_back_and_forth(t, options.positions, left_over)
        assert t.player_dealer is not None
        choice = Choice("choose_pile", piles=options.positions)
        act = yield from t.ask(t.player_dealer, [choice], asks=f"the action pile, 1 to {options.positions}")
        assert act.pile is not None
        return act.pile

    def _give_out(self, t: Table, options: FortuneOptions, action_pile: int, in_play: set[int]) -> Move[int]:
        """The dice count out the seat of the action pile; the button lies at the first seat in play from there."""
        assert t.player_dealer is not None
        dice = yield from t.roll(3)
        first = by_dice(dice, t.player_dealer, options.positions, options.player_dealer_counts)
        action_seat = moves_on(first, in_play)
        distribute(t, options.positions, action_pile, first, in_play)
        t.emit(ev.ActionButton(action_seat))
        t.result.action_seat = action_seat
        t.result.more["first_pile_to"] = first
        return action_seat

    def _set(self, t: Table, options: FortuneOptions, order: list[int]) -> Move[dict[str, Arranged]]:
        """Players set, then the player-dealer's hand is opened by the house way, then each player's in turn."""
        assert t.player_dealer is not None
        setter = Setter(t, options.ranking, options.setter)
        hands = in_turn(order, t.hands)
        chosen = yield from setter.ask(hands)
        opened: dict[str, Arranged] = {}
        opened[PLAYER_DEALER] = yield from setter.open(t.player_dealer, t.hand(PLAYER_DEALER), Chosen(by_house=True))
        for seat, hand in hands.items():
            opened[str(seat)] = yield from setter.open(seat, hand, chosen[seat])
        return opened

    def _resolve(self, t: Table, options: FortuneOptions, hands: dict[str, Arranged]) -> None:
        result = t.result
        player_dealer = hands[PLAYER_DEALER]
        for owner, arranged in hands.items():
            result.arranged[owner] = [codes(arranged.front), codes(arranged.back)]
            result.ranks[owner] = [arranged.front_rank.document(), arranged.back_rank.document()]
        players = {int(owner): arranged for owner, arranged in hands.items() if owner != PLAYER_DEALER}
        comparison = {seat: compare(arranged, player_dealer) for seat, arranged in players.items()}
        outcomes: dict[Any, Outcome] = {seat: outcome(verdicts) for seat, verdicts in comparison.items()}
        result.outcome = outcomes | {place: outcomes[seat_of(place)] for place in t.book}
        result.more["comparison"] = comparison
        result.more["house_way_row"] = player_dealer.row if isinstance(player_dealer, Setting) else None

    def _settle(self, t: Table, options: FortuneOptions, action_seat: int, order: list[int]) -> None:
        rows = {seat: options.bonus.hand(t.hands[str(seat)].cards) for seat in order}
        t.result.more["fortune_hand"] = {
            seat: row for seat, row in rows.items() if "fortune" in t.book.get(seat, {}) or not t.setup.records_wagers
        }
        settle(t, options, action_seat, t.result.outcome, rows)

    def tell(self, result: Mapping[str, Any]) -> str:
        return tell_outcomes(result["outcome"])

    def answer(self, kind: str, case: Mapping[str, Any], options: FortuneOptions) -> dict[str, Any]:
        """`house_way`: how the house way sets each hand, and by which row."""
        if kind != "house_way":
            return super().answer(kind, case, options)
        settings = {
            name: options.setter.set([card(str(code)) for code in dealt]) for name, dealt in case["cards"].items()
        }
        return {
            "more": {
                "front": {name: codes(setting.front) for name, setting in settings.items()},
                "house_way_row": {name: setting.row for name, setting in settings.items()},
                "explained": {name: setting.explained for name, setting in settings.items()},
            }
        }
