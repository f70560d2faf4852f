"""The Village Club's house rules: what becomes of cards that went astray, of skipped and absent players.

`ruling_on` is the sheet's table: a happening and its facts give the ruling's code. `HOUSE_RULES` are the same rulings
at a table that is being dealt, with their effect. Sheet: village-21st-century-blackjack, irregularities; the No Bust
sheets follow it where they are silent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.cards.card import Hand, Slot
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import FloorAct, Happening, Place, seat_of
from controller.engine.round.felt import Script, Table, Unruled, Voided
from controller.engine.round.game import Ruling
from controller.games.blackjack.circle import BetHand, Circle
from controller.games.blackjack.counting import Count
from controller.games.blackjack.options import BlackjackRules
from controller.games.blackjack.script import Deal, facts_of

FREE_BUTTON = "free_collection_button"
Facts = Mapping[str, Any]


def ruling_on(code: str, facts: Facts, rules: BlackjackRules) -> str:
    """The ruling's code, by the event and what is known of it.

    >>> from types import SimpleNamespace
    >>> ruling_on("abandoned", {"total": 12}, SimpleNamespace(abandoned_hits=12)), ruling_on("card_off_table", {}, None)
    ('hit', 'live_card')
    """
    if code in ALWAYS:
        return ALWAYS[code]
    match code:
        case "unwanted_hit":
            return _of_unwanted_hit(facts, rules)
        case "player_dealer_card_count":
            return "back_up" if facts.get("can_back_up") else "misdeal"
        case "dealer_started_out_of_position":
            return "back_up" if facts.get("can_back_up") else "deal_dead"
        case "player_card_count":
            return "hand_dead_free_collection" if rules.misdealt_hand == FREE_BUTTON else "hand_dead"
        case "both_player_dealer_cards_exposed":
            return "deal_dead_except_naturals" if facts.get("when") == "before_any_draw" else "unacted_hands_dead"
        case "two_hit_cards":
            return "first_plays_second_exposed" if facts.get("order_known") else "burn_both"
        case "abandoned":
            return "hit" if int(facts["total"]) <= rules.abandoned_hits else "stand"
        case "cut_card":
            during = facts.get("when") == "during_hand"
            return "this_hand_is_last_of_shoe" if during else "next_hand_is_last_of_shoe"
    raise LookupError(f"the house rules have no ruling on {code!r}")


ALWAYS = {
    "skipped_player": "card_stands",
    "card_off_table": "live_card",
    "signal_dispute": "dealer_reading",
    "hand_dealt_to_player_dealer_circle": "hand_dead",
    "hand_dealt_to_empty_circle": "hand_dead",
    "shoe_empty": "reshuffle_continue",
    "wager_touched": "wager_locked",
}
"""Events with one ruling, whatever else is known of them."""


def _of_unwanted_hit(facts: Facts, rules: BlackjackRules) -> str:
    """The card may only go to the player-dealer, if no remaining player wants a hit and he needs one (176)."""
    if facts.get("remaining_players_want_hit"):
        return "burn"
    total = str(facts["player_dealer_total"]).replace("_", " ")
    count = Count(int(total.rsplit(maxsplit=1)[-1]), soft=total.startswith("soft") or bool(facts.get("soft")))
    return "to_player_dealer" if rules.player_dealer_chart.says(count) == "hit" else "burn"


# At the table


def give_buttons(t: Table, rules: BlackjackRules) -> None:
    """A free collection button to every player whose wager found no cover (209), or whose hand was misdealt (183)."""
    if rules.no_action == FREE_BUTTON:
        for line in t.settlement.lines:
            if line.wager == rules.base_wager and line.uncovered and not line.net:
                t.fees.give_free_collection(line.place)
    facts_of(t).free_collection = sorted(t.fees.free, key=_by_seat)


def _by_seat(place: Place) -> tuple[int, str]:
    return seat_of(place), str(place)


def _rule(code: str, t: Table, happening: Happening) -> Script | None:
    """One of the house rules at the table. What the table knows need not be keyed; what only people know is asked."""
    deal = t.script_state
    if not isinstance(deal, Deal):
        t.refuse(happening, Refusal("not_expected", f"{code.replace('_', ' ')}: no hand is being dealt"))
        return None
    if code in ABOUT_A_SEAT:
        _circle(deal, happening)
    if code == "both_player_dealer_cards_exposed" and len(deal.bank) < 2:
        t.refuse(happening, Refusal("not_expected", "The player-dealer does not have two cards yet."))
        return None
    if code == "abandoned" and not _hand_in_turn(deal, happening).cards.is_read:
        t.refuse(happening, Refusal("not_expected", "A card of this hand was not read yet. Name it first."))
        return None
    facts = _known(code, deal, happening)
    question = QUESTIONS.get(code)
    if question is None or _is_answered(code, facts):
        return _apply(deal, happening, ruling_on(code, facts, deal.rules), facts, _taken(deal, happening))
    return _ask_floor(question, deal, happening, facts, _taken(deal, happening))


def _known(code: str, deal: Deal, happening: Happening) -> dict[str, Any]:
    """What was reported of it, and what the table knows by itself."""
    facts: dict[str, Any] = dict(happening.facts)
    match code:
        case "both_player_dealer_cards_exposed":
            acted = any(_has_acted(hand) for circle in deal.circles for hand in circle.hands)
            facts.setdefault("when", "before_draw_complete" if acted else "before_any_draw")
        case "abandoned":
            facts.setdefault("total", deal.rules.count(_hand_in_turn(deal, happening).cards).total)
        case "cut_card":
            facts.setdefault("when", "during_hand")
    return facts


class Question(Struct, frozen=True):
    """What only people know, and what the floor may answer: each answer is a ruling, or a fact that decides one."""

    asks: str
    needs: tuple[str, ...]
    """Facts that answer it, where they are reported."""
    answers: tuple[str, ...]


QUESTIONS = {
    "skipped_player": Question(
        "does the dealer admit that the player was skipped?", ("dealer_admits",), ("dealer_admits", "dealer_denies")
    ),
    "unwanted_hit": Question(
        "burn it if a remaining player wants a hit, else the player-dealer takes it if he needs a card",
        ("remaining_players_want_hit",),
        ("burn", "to_player_dealer"),
    ),
    "player_dealer_card_count": Question("can the cards be backed up?", ("can_back_up",), ("back_up", "misdeal")),
    "dealer_started_out_of_position": Question(
        "can the cards be backed up?", ("can_back_up",), ("back_up", "deal_dead")
    ),
    "two_hit_cards": Question(
        "is it known which card came first?", ("order_known",), ("first_plays_second_exposed", "burn_both")
    ),
}
ABOUT_A_SEAT = frozenset({"skipped_player", "unwanted_hit", "player_card_count", "two_hit_cards", "abandoned"})
"""Events of one player: at the seat that is named, or the one in turn."""


def _is_answered(code: str, facts: Facts) -> bool:
    if not all(fact in facts for fact in QUESTIONS[code].needs):
        return False
    return code != "unwanted_hit" or facts["remaining_players_want_hit"] or "player_dealer_total" in facts


def _ask_floor(
    question: Question, deal: Deal, happening: Happening, facts: dict[str, Any], cards: list[Slot]
) -> Script:
    """The floor adds what the report left out."""
    t = deal.t
    want = WantFloor(happening.code, question.asks, (*question.answers, "void"))
    t.emit(ev.Held(want.code, want.text))
    while True:
        body = yield from t.wait_for(want)
        if type(body) is FloorAct:
            break
    if body.do == "void":
        t.void("floor_void", body.reason)
    t.emit(ev.Resumed(body.do, body.reason))
    said = body.do
    if happening.code == "skipped_player":
        facts, said = {**facts, "dealer_admits": said == "dealer_admits"}, ALWAYS["skipped_player"]
    aside = _apply(deal, happening, said, facts, cards)
    if aside is not None:
        yield from aside


def _apply(deal: Deal, happening: Happening, said: str, facts: Facts, cards: list[Slot]) -> Script | None:
    """A ruling and its effect; `cards` are those that stopped the table, or came with the happening."""
    if said in ("misdeal", "deal_dead"):
        raise Voided(said)
    effect = _EFFECTS.get(happening.code)
    aside = None if effect is None else effect(Case(deal, happening, said, facts, cards))
    deal.t.rule(said, happening.seat)
    return aside


class Case(NamedTuple):
    """What an effect works on."""

    deal: Deal
    happening: Happening
    said: str
    facts: Facts
    cards: list[Slot]


def _skipped(case: Case) -> Script | None:
    """The exposed card plays. A player who was skipped by the dealer's mistake acts after the hand in play (175)."""
    deal = case.deal
    deal.t.queue.extend(case.cards)
    circle = _circle(deal, case.happening)
    admitted, in_turn = bool(case.facts.get("dealer_admits")), deal.in_turn
    if in_turn is not None and in_turn[0] is circle:
        if not admitted:
            in_turn[1].closed = True
            return None
        at = deal.circles.index(circle)
        following = [other for other in deal.circles[at + 1 :] if not _is_done(other)][:1]
        return deal.play_circle(following[0], deal.circles[:at]) if following else None
    if admitted and circle not in deal.recalled:
        for hand in circle.hands:
            hand.closed = hand.dead or hand.surrendered or bool(hand.doublings)
        deal.recalled.append(circle)
    return None


def _unwanted(case: Case) -> None:
    """Taken off the hand, which counts without it: for the player-dealer, or burned (176)."""
    hand = _hand_in_turn(case.deal, case.happening)
    case.deal.exposed += case.cards or _taken_back(case.deal, hand.cards)
    hand.closed = True
    if case.said == "burn":
        case.deal.burn_exposed()


def _card_live(case: Case) -> None:
    case.deal.t.queue.extend(case.cards)


def _hand_dead(case: Case) -> None:
    """One player's hand is dead; its wager goes back (183)."""
    circle = _circle(case.deal, case.happening)
    for hand in circle.hands:
        hand.kill()
    if case.deal.rules.misdealt_hand == FREE_BUTTON:
        case.deal.t.fees.give_free_collection(circle.place)


def _dead_cards(case: Case) -> None:
    """Cards on a circle that plays no hand are out of play (184-185)."""
    for slot in case.cards:
        case.deal.t.burns.append(slot)
        case.deal.t.emit(ev.CardBurned(slot.face_if_exposed))


def _both_exposed(case: Case) -> Script:
    """The hole card is seen. Before any draw the deal is dead but for naturals, later the hands that have not acted are
    (186-188)."""
    deal, whole_deal = case.deal, case.said == "deal_dead_except_naturals"
    yield from deal.t.show(deal.bank)
    for circle in deal.circles:
        for hand in circle.hands:
            yield from deal.t.name_unread(hand.cards)
    bank_wins = whole_deal and bool(deal.rules.bank_count(deal.bank).natural)
    for hand in [hand for circle in deal.circles for hand in circle.hands]:
        natural = bool(deal.rules.count(hand.cards).natural) and not hand.is_split
        if not (natural or bank_wins) and (whole_deal or not _has_acted(hand)):
            hand.kill()
        hand.closed = hand.closed or whole_deal
    deal.nobody_draws = deal.nobody_draws or whole_deal


def _two_cards(case: Case) -> Script | None:
    """The first off plays and the second is an exposed card; where the order is not known both are burned (190)."""
    deal = case.deal
    deal.exposed += case.cards
    if case.said == "first_plays_second_exposed":
        return None
    cards = _hand_in_turn(deal, case.happening).cards
    deal.exposed += _taken_back(deal, cards)
    deal.burn_exposed()
    return _dealt_again(deal, cards)


def _dealt_again(deal: Deal, cards: Hand) -> Script:
    yield from deal.t.deal(cards, says="Both cards are burned: deal the hit again")


def _abandoned(case: Case) -> None:
    """The dealer plays on for the player: hits 12 or less, stands on 13 or more (191)."""
    _circle(case.deal, case.happening).abandoned = True


def _reshuffled(case: Case) -> Script:
    """The discards are shuffled, a card is burned, and the hand goes on (194)."""
    t = case.deal.t
    lying: dict[str, int] = {}
    for slot in [*(slot for hand in t.hands.values() for slot in hand), *t.burns, *t.queue]:
        if slot.is_read:
            lying[slot.card.code] = lying.get(slot.card.code, 0) + 1
    for code in list(t.out):
        t.out[code] = lying.get(code, 0)
    yield from t.burn(says="Shuffle the discards, load the shoe and burn a card")


Effect = Callable[[Case], "Script | None"]
_EFFECTS: Mapping[str, Effect] = {
    "skipped_player": _skipped,
    "unwanted_hit": _unwanted,
    "card_off_table": _card_live,
    "player_dealer_card_count": _card_live,
    "dealer_started_out_of_position": _card_live,
    "player_card_count": _hand_dead,
    "hand_dealt_to_player_dealer_circle": _dead_cards,
    "hand_dealt_to_empty_circle": _dead_cards,
    "both_player_dealer_cards_exposed": _both_exposed,
    "two_hit_cards": _two_cards,
    "abandoned": _abandoned,
    "shoe_empty": _reshuffled,
}
"""What a ruling changes; what is not here changes nothing."""

CODES = (
    *ALWAYS,
    "unwanted_hit",
    "player_dealer_card_count",
    "dealer_started_out_of_position",
    "player_card_count",
    "both_player_dealer_cards_exposed",
    "two_hit_cards",
    "abandoned",
    "cut_card",
)
HOUSE_RULES: Mapping[str, Ruling] = {code: partial(_rule, code) for code in CODES}


# Helpers


def _circle(deal: Deal, happening: Happening) -> Circle:
    """The circle that a happening is about: the seat's, or the one in turn."""
    if happening.seat is not None:
        for circle in deal.circles:
            if circle.seat == happening.seat:
                return circle
        raise Unruled(f"seat {happening.seat} has no hand in this round")
    if deal.in_turn is None:
        raise Unruled("say which seat")
    return deal.in_turn[0]


def _hand_in_turn(deal: Deal, happening: Happening) -> BetHand:
    """The hand in turn, where it is the seat's that the happening names; else that seat's last hand."""
    circle = _circle(deal, happening)
    if deal.in_turn is not None and deal.in_turn[0] is circle:
        return deal.in_turn[1]
    return circle.hands[-1]


def _has_acted(hand: BetHand) -> bool:
    """It stood, drew, doubled, split or was given up."""
    return hand.closed or hand.is_split or len(hand.cards) > 2


def _is_done(circle: Circle) -> bool:
    return all(hand.closed for hand in circle.hands)


def _taken(deal: Deal, happening: Happening) -> list[Slot]:
    """The cards that stopped the table, or came with the happening, face up."""
    t = deal.t
    strays, t.strays = t.strays, []
    for slot in strays:
        slot.expose()
        if slot.is_read:
            t.count_out(slot.card.code)
    return strays or t.take_out(happening.cards)


def _taken_back(deal: Deal, cards: Hand) -> list[Slot]:
    """The last card of a hand, which it should not have; none of the two that it was dealt."""
    if len(cards) <= 2:
        return []
    slot = cards.slots.pop()
    deal.t.emit(ev.HandShown(cards.owner, tuple(cards.faces)))
    return [slot]
