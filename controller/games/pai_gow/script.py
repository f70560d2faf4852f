"""Pai gow poker as a script, plain and with the Fortune bonus.

Sheets: bankers-pai-gow-poker, bankers-fortune-pai-gow-poker-1-1, bankers-fortune-pai-gow-poker-joker-fully-wild,
calgrand-pai-gow-poker, turlock-pai-gow-poker, turlock-fortune-pai-gow-poker, village-pai-gow-poker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from controller.engine.cards.card import card, codes
from controller.engine.fees import Moment
from controller.engine.ranking import Rank
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import tell_outcomes
from controller.games.pai_gow.hand import PaiGowHand
from controller.games.pai_gow.options import FORTUNE, PaiGowOptions
from controller.games.pai_gow.piles import CARDS_IN_A_PILE
from controller.games.pai_gow.rulings import CUP_OPENED, all_rulings, ruling_on

FRONT = 2


class PaiGowPoker(Game[PaiGowOptions]):
    """Pai Gow Poker, also called Double Hand Poker."""

    slug = "pai-gow-poker"
    title = "Pai Gow Poker"
    options_type = PaiGowOptions
    known: ClassVar[tuple[str, ...]] = (CUP_OPENED,)
    turns_as_player_dealer: ClassVar[int | None] = 2
    fee_moments: ClassVar[tuple[Moment, ...]] = (
        "before_deal",
        "before_dice_open",
        "dice_read",
        "after_initial_deal",
        "before_player_dealer_exposed",
    )

    def deck(self, options: PaiGowOptions) -> dict[str, int]:
        return options.deck

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return all_rulings()

    def play(self, t: Table, options: PaiGowOptions) -> Script:
        hand = PaiGowHand(t, options)
        t.script_state = hand
        yield from hand.wait_for_player_dealer()
        yield from hand.take_wagers()
        yield from t.collect_fees(options.schedule, "before_deal")
        yield from t.while_betting(hand.make_piles())
        after_dice = options.action_pile == "chosen_after_dice"
        pile = 1 if after_dice else (yield from t.while_betting(hand.choose_pile()))
        yield from hand.take_last_wagers()
        yield from t.collect_fees(options.schedule, "before_dice_open")
        yield from hand.roll()
        if after_dice:
            pile = yield from hand.choose_pile(may_pass=True)
        hand.give_out(pile)
        yield from t.collect_fees(options.schedule, "dice_read", first_action=hand.first_action)
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from hand.set_players()
        yield from t.collect_fees(options.schedule, "before_player_dealer_exposed")
        yield from hand.open_hands()
        hand.settle()

    def tell(self, result: Mapping[str, Any]) -> str:
        return tell_outcomes(result["outcome"])

    def answer(self, kind: str, case: Mapping[str, Any], options: PaiGowOptions) -> dict[str, Any]:
        """`house_way`: how the house way sets each hand, and by which row; `legality`: rulings, one by one; `ranking`:
        what hands are called, and what the Fortune bonus pays on seven cards."""
        if kind == "ranking":
            return _name_hands(case, options)
        if kind == "house_way" and options.setter is not None:
            return _set_hands(case["cards"], options)
        if kind == "legality":
            bank = (case.get("table") or {}).get("player_dealer", "player_dealer")
            rulings = [ruling_on(act, options, bank) for act in case["acts"]]
            left = [str(code) for code in case.get("cards") or ()]
            one = options.exposed.one if options.exposed is not None else None
            first = left[0] if left and rulings[:1] == [one] else None
            told: dict[str, Any] = {"rulings": rulings, "more": {"replacement_in_first": first}}
            if "refused" in case["expect"]:
                # Settings of hands without a table: which of them the sheet does not allow.
                foul = [act for act, ruling in enumerate(rulings) if ruling == "foul_set"]
                told["refused"] = [{"act": act, "why": "foul_set"} for act in foul]
            return told
        return super().answer(kind, case, options)


def _name_hands(case: Mapping[str, Any], options: PaiGowOptions) -> dict[str, Any]:
    """Two or five cards by their rank, a hand that is set by both; of two hands `a` and `b` the better; seven by their
    row of the bonus table."""
    ranks: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    rows: dict[Any, str] = {}
    for name, told in case["cards"].items():
        if isinstance(told, Mapping):
            found = {side: _rank(cards, options) for side, cards in told.items()}
            ranks[name] = {side: rank.document() for side, rank in found.items()}
            a, b = found["a"].strength, found["b"].strength
            winner[name] = "copy" if a == b else "a" if a > b else "b"
        elif all(isinstance(part, list) for part in told):
            ranks[name] = [_rank(part, options).document() for part in told]
        elif len(told) == CARDS_IN_A_PILE:
            rows[name] = options.bonus.hand([card(str(code)) for code in told])
        else:
            ranks[name] = _rank(told, options).document()
    more: dict[str, Any] = {"winner": winner, "fortune_hand": rows}
    stake = (case.get("wagers") or {}).get(FORTUNE)
    if stake is not None:
        more["fortune_net"] = {name: options.payoff(row, stake) or -stake for name, row in rows.items()}
    return {"ranks": ranks, "more": more}


def _rank(told: Sequence[Any], options: PaiGowOptions) -> Rank:
    ranking = options.ranking.front if len(told) == FRONT else options.ranking.back
    return ranking.rank([card(str(code)) for code in told])


def _set_hands(told: Mapping[Any, Any], options: PaiGowOptions) -> dict[str, Any]:
    assert options.setter is not None
    settings = {name: options.setter.set([card(str(code)) for code in dealt]) for name, dealt in told.items()}
    return {
        "hands": {str(name): [codes(setting.front), codes(setting.back)] for name, setting in settings.items()},
        "ranks": {
            str(name): [setting.front_rank.document(), setting.back_rank.document()]
            for name, setting in settings.items()
        },
        "more": {
            "front": {name: codes(setting.front) for name, setting in settings.items()},
            "house_way_row": {name: setting.row for name, setting in settings.items()},
            "explained": {name: setting.explained for name, setting in settings.items()},
        },
    }


class FortunePaiGow(PaiGowPoker):
    """Fortune Pai Gow Poker: the same with a bonus for seven cards, and envy."""

    slug = "fortune-pai-gow-poker"
    title = "Fortune Pai Gow Poker"
