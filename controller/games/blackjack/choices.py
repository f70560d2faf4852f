"""What a hand may do, and what is refused with the sheet's code.

A hand is asked when more than one choice is legal; a single one is carried out without asking; none: the hand is over.
The chart speaks of hit and stand. Double, split and surrender are choices besides it.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.engine.amounts import dollars
from controller.engine.cards.card import Card
from controller.engine.expect.choices import Choice
from controller.engine.expect.expectation import Barred
from controller.engine.inputs import Place
from controller.games.blackjack.circle import Bet, BetHand, Circle
from controller.games.blackjack.counting import ACE, Count
from controller.games.blackjack.options import BlackjackRules

DOUBLED_ONCE = 3
"""Cards of a hand that doubled and had the card that comes with it."""
MOST_DOUBLINGS = 3
"""One double and two more: eight times the wager (bankers-pure-spanish-21-5, 1084)."""


def choices_of(rules: BlackjackRules, circle: Circle, hand: BetHand, up: Card | None = None) -> tuple[Choice, ...]:
    """Everything legal for this hand now, in the order a dealer would name it, against this up card."""
    count = rules.count(hand.cards)
    if hand.closed or count.natural or count.is_over:
        return ()
    if hand.doublings:
        return _after_double(rules, hand, count)
    if _is_done_ace(rules, hand):
        return (Choice("stand"), _split(rules, hand.bet)) if _may_split(rules, circle, hand) else ()
    says = rules.player_chart.says(count)
    found = []
    if says != "stand":
        found.append(Choice("hit"))
    if says != "hit":
        found.append(Choice("stand"))
    if up is not None and rules.leaves_hit_and_stand(up):
        return tuple(found)
    found += money_choices(rules, circle, hand, hand.bet)
    if rules.may_surrender(hand, count):
        found.append(Choice("surrender"))
    return tuple(found)


def money_choices(rules: BlackjackRules, circle: Circle, hand: BetHand, bet: Bet) -> list[Choice]:
    """Double and split, which every bettor of the hand may do with his own money."""
    found: list[Choice] = []
    if hand.closed or hand.doublings or not hand.has_first_cards_only or _is_done_ace(rules, hand):
        return found
    if rules.may_double(hand, rules.count(hand.cards)):
        found.append(_double(rules, bet))
    if _may_split(rules, circle, hand):
        found.append(_split(rules, bet))
    return found


def behind_choices(rules: BlackjackRules, circle: Circle, hand: BetHand, bet: Bet) -> list[Choice]:
    """What a bettor behind the one who decides may do with his own wager, before the hand is played on."""
    back_line = rules.back_line
    joins = {name for name, how in (("double", back_line.double), ("split", back_line.split)) if how == "joins"}
    found = [choice for choice in money_choices(rules, circle, hand, bet) if choice.do not in joins]
    if back_line.surrender == "own" and not hand.doublings and rules.may_surrender(hand, rules.count(hand.cards)):
        found.append(Choice("surrender"))
    return found


def insurance_choices(rules: BlackjackRules, circle: Circle, bet: Bet) -> tuple[Choice, ...]:
    """Insurance of half the wager, or up to it; a natural may also take even money, which is exactly half."""
    insure, half = Choice("insurance"), bet.stake // 2
    if bet.stake and rules.insurance_amount == "half":
        insure = Choice("insurance", cents=half, label=f"insurance for {dollars(half)}")
    elif bet.stake:
        insure = Choice("insurance", min_cents=1, max_cents=half, above=rules.refusals.insurance_above)
    declining = Choice("no_insurance")
    natural = rules.even_money and rules.count(circle.hands[0].cards).natural
    return (insure, declining, Choice("even_money")) if natural else (insure, declining)


def chart_bars(rules: BlackjackRules, place: Place, count: Count) -> tuple[Barred, ...]:
    """What the chart forbids this hand."""
    codes = rules.refusals
    match _chart_says(rules, count):
        case "hit":
            return (Barred(codes.must_hit, f"seat {place} has {count} and must hit", place, "stand"),)
        case "stand":
            text = f"seat {place} has {count} and must stand"
            acts = ("hit",) if rules.double_on_must_stand else codes.must_stand_bars
            return tuple(Barred(codes.must_stand, text, place, act) for act in acts)
        case _:
            return ()


def _total_bars(rules: BlackjackRules, hand: BetHand) -> tuple[Barred, ...]:
    """What the chart forbids; a surrender that comes too late is refused for that, whatever the total is."""
    place = hand.bet.place
    bars = chart_bars(rules, place, rules.count(hand.cards))
    if hand.has_first_cards_only or not rules.surrenders_first_cards_only:
        return bars
    late = Barred(rules.refusals.surrender_not_allowed, f"seat {place} has drawn a card", place, "surrender")
    return tuple(late if bar.do == "surrender" else bar for bar in bars)


def hand_bars(rules: BlackjackRules, circle: Circle, hand: BetHand, up: Card | None = None) -> tuple[Barred, ...]:
    """What is refused to the hand that is asked: by the up card, by the chart, and what its choices leave out for
    another reason."""
    place, codes = hand.bet.place, rules.refusals
    bars = []
    if up is not None and rules.leaves_hit_and_stand(up):
        text = "against this up card a hand may only hit or stand"
        bars += [Barred(codes.up_card_bars, text, place, act) for act in ("double", "split", "surrender")]
    bars += [*_total_bars(rules, hand), *_split_bars(rules, circle, hand)]
    bars.append(Barred(codes.double_not_allowed, f"seat {place} may not double this hand", place, "double"))
    bars.append(Barred(codes.not_a_pair, f"seat {place} may not split this hand", place, "split"))
    bars.append(Barred(codes.surrender_not_allowed, f"seat {place} may not surrender this hand", place, "surrender"))
    return (*bars, *insurance_bars(rules))


def insurance_bars(rules: BlackjackRules) -> tuple[Barred, ...]:
    """A table without insurance refuses it to every seat, at every turn."""
    if rules.insurance:
        return ()
    code, text = rules.refusals.insurance_not_offered, "insurance is not offered at this table"
    return tuple(Barred(code, text, do=act) for act in ("insurance", "even_money"))


def finished_bars(rules: BlackjackRules, circles: Iterable[Circle]) -> tuple[Barred, ...]:
    """What is over stays over at every later turn: a hand that the chart made stand, a split too many."""
    found: list[Barred] = []
    for circle in circles:
        for hand in circle.hands:
            if not hand.surrendered and _chart_says(rules, rules.count(hand.cards)) == "stand":
                found += _total_bars(rules, hand)
            found += _split_bars(rules, circle, hand)
    return tuple(found)


def _chart_says(rules: BlackjackRules, count: Count) -> str:
    """A natural stands, soft as it is."""
    return "stand" if count.natural else rules.player_chart.says(count)


def _split_bars(rules: BlackjackRules, circle: Circle, hand: BetHand) -> tuple[Barred, ...]:
    """A pair that may not be split any more."""
    if not hand.is_split or not _is_pair(rules, hand) or _may_split(rules, circle, hand):
        return ()
    place = hand.bet.place
    text = f"seat {place} has {len(circle.hands)} hands; no more splits"
    return (Barred(rules.refusals.no_more_splits, text, place, "split"),)


def _after_double(rules: BlackjackRules, hand: BetHand, count: Count) -> tuple[Choice, ...]:
    """The double card has come: stand, double again where the house allows it, or take the last doubling back."""
    if rules.after_double == "one_more":
        done = len(hand.cards) > DOUBLED_ONCE or rules.player_chart.says(count) == "stand"
        return () if done else (Choice("hit"), Choice("stand"))
    found = [Choice("stand")]
    may_draw = rules.double_on_must_stand or rules.player_chart.says(count) != "stand"
    if rules.double_double and hand.doublings < MOST_DOUBLINGS and may_draw:
        cents = rules.redoubled(hand)
        found.append(Choice("redouble", cents=cents, label=f"redouble for {dollars(cents)}" if cents else ""))
    return (*found, Choice("rescue"))


def _is_done_ace(rules: BlackjackRules, hand: BetHand) -> bool:
    """A split ace has had its one card."""
    return rules.one_card_on_split_aces and hand.is_split and hand.cards.cards[0].rank == ACE


def _is_pair(rules: BlackjackRules, hand: BetHand) -> bool:
    return hand.has_first_cards_only and rules.may_split(*hand.cards.cards)


def _may_split(rules: BlackjackRules, circle: Circle, hand: BetHand) -> bool:
    if not _is_pair(rules, hand) or (rules.max_splits is not None and circle.splits >= rules.max_splits):
        return False
    is_split_ace = hand.is_split and hand.cards.cards[0].rank == ACE
    return not is_split_ace or rules.resplit_aces


def _double(rules: BlackjackRules, bet: Bet) -> Choice:
    """Up to the wager, less allowed, or exactly as much; a table that records no wagers asks for no amount."""
    codes = rules.refusals
    if not bet.stake:
        return Choice("double")
    if rules.double_double or rules.double_amount == "wager":
        return Choice("double", cents=bet.stake, below=codes.double_below, above=codes.double_above)
    return Choice("double", min_cents=1, max_cents=bet.stake, above=codes.double_above)


def _split(rules: BlackjackRules, bet: Bet) -> Choice:
    """For a wager equal to the first, which the act need not name."""
    if not bet.stake:
        return Choice("split")
    code = rules.refusals.split_not_equal
    return Choice("split", cents=bet.stake, below=code, above=code)
