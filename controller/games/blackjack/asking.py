"""What a hand may do, and what is refused with the sheet's code.

A hand is asked when more than one choice is legal; a single one is carried out without asking; none: the hand is over.
The chart speaks of hit and stand. Double, split and surrender are choices of the first two cards besides it.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine.expect import Barred, Choice
from controller.engine.inputs import Place
from controller.games.blackjack.circle import BetHand, Circle
from controller.games.blackjack.counting import ACE, Count
from controller.games.blackjack.rules import BlackjackRules


def choices_of(rules: BlackjackRules, circle: Circle, hand: BetHand, *, may_surrender: bool) -> tuple[Choice, ...]:
    """Everything legal for this hand now, in the order a dealer would name it."""
    count = rules.count(hand.cards)
    if hand.closed or count.natural or count.is_over:
        return ()
    if _is_done_ace(rules, hand):
        return (Choice("stand"), _split(rules, circle)) if _may_split(rules, circle, hand) else ()
    says = rules.player_chart.says(count)
    found = []
    if says != "stand":
        found.append(Choice("hit"))
    if says != "hit":
        found.append(Choice("stand"))
    if not hand.has_first_cards_only:
        return tuple(found)
    if (says != "stand" or rules.double_on_must_stand) and (rules.double_after_split or not hand.is_split):
        found.append(_double(rules, circle))
    if _may_split(rules, circle, hand):
        found.append(_split(rules, circle))
    if may_surrender and not hand.is_split:
        found.append(Choice("surrender"))
    return tuple(found)


def insurance_choices(rules: BlackjackRules, circle: Circle) -> tuple[Choice, ...]:
    """Insurance of up to half the wager; a natural may also take even money, which is insurance of exactly half."""
    insure = Choice("insurance")
    if circle.base:
        insure = Choice("insurance", min_cents=1, max_cents=circle.base // 2, above=rules.refusals.insurance_above)
    declining = Choice("no_insurance")
    natural = rules.count(circle.hands[0].cards).natural
    return (insure, declining, Choice("even_money")) if natural else (insure, declining)


def chart_bars(rules: BlackjackRules, place: Place, count: Count) -> tuple[Barred, ...]:
    """What the chart forbids this hand."""
    codes = rules.refusals
    match rules.player_chart.says(count):
        case "hit":
            return (Barred(codes.must_hit, f"seat {place} has {count} and must hit", place, "stand"),)
        case "stand":
            text = f"seat {place} has {count} and must stand"
            acts = ("hit",) if rules.double_on_must_stand else ("hit", "double")
            return tuple(Barred(codes.must_stand, text, place, act) for act in acts)
        case _:
            return ()


def hand_bars(rules: BlackjackRules, circle: Circle, hand: BetHand) -> tuple[Barred, ...]:
    """What is refused to the hand that is asked: by the chart, and what its choices leave out for another reason."""
    place, codes = circle.place, rules.refusals
    bars = list(chart_bars(rules, place, rules.count(hand.cards)))
    if hand.has_first_cards_only and _is_pair(rules, hand) and not _may_split(rules, circle, hand):
        text = f"seat {place} has {len(circle.hands)} hands; no more splits"
        bars.append(Barred(codes.no_more_splits, text, place, "split"))
    if not rules.insurance:
        for act in ("insurance", "even_money"):
            bars.append(Barred(codes.insurance_not_offered, "insurance is not offered at this table", place, act))
    return tuple(bars)


def finished_bars(rules: BlackjackRules, circles: Iterable[Circle]) -> tuple[Barred, ...]:
    """A hand that the chart made stand stays so, whoever's turn it is now."""
    return tuple(
        bar
        for circle in circles
        for hand in circle.hands
        if not hand.surrendered and rules.player_chart.says(rules.count(hand.cards)) == "stand"
        for bar in chart_bars(rules, circle.place, rules.count(hand.cards))
    )


def _is_done_ace(rules: BlackjackRules, hand: BetHand) -> bool:
    """A split ace has had its one card."""
    return rules.one_card_on_split_aces and hand.is_split and hand.cards.cards[0].rank == ACE


def _is_pair(rules: BlackjackRules, hand: BetHand) -> bool:
    return rules.may_split(*hand.cards.cards)


def _may_split(rules: BlackjackRules, circle: Circle, hand: BetHand) -> bool:
    if not _is_pair(rules, hand) or circle.splits >= rules.max_splits:
        return False
    return not hand.is_split or hand.cards.cards[0].rank != ACE or rules.resplit_aces


def _double(rules: BlackjackRules, circle: Circle) -> Choice:
    """Up to the wager of the circle, less allowed; a table that records no wagers asks for no amount."""
    if not circle.base:
        return Choice("double")
    return Choice("double", min_cents=1, max_cents=circle.base, above=rules.refusals.double_above)


def _split(rules: BlackjackRules, circle: Circle) -> Choice:
    """For a wager equal to the circle's, which the act need not name."""
    if not circle.base:
        return Choice("split")
    code = rules.refusals.split_not_equal
    return Choice("split", cents=circle.base, below=code, above=code)
