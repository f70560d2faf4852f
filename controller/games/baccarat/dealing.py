"""The course of a baccarat round: the burn of a fresh shoe, the wagers, the third cards, the outcome.

What the games of the family put their scripts together from. It is one of the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Hand
from controller.engine.round.felt import Move, Table
from controller.games.baccarat.drawing import POINTS, banker_draws, is_natural, player_draws, total, winner
from controller.games.baccarat.facts import facts_of
from controller.games.baccarat.options import BaccaratOptions


def betting(
    t: Table,
    options: BaccaratOptions,
    offered: tuple[WagerRule, ...],
    lines: tuple[str, str],
    needy: tuple[str, ...],
) -> Move[None]:
    """The burn of a fresh shoe, the wagers and the fees. `needy`: the wagers that need one on a line."""
    if not t.drawn and options.burn == "first_card_value":
        yield from burn_by_value(t)
    schedule = options.schedule
    yield from t.take_wagers(offered, schedule)
    _return_orphans(t, lines, needy)
    if schedule is not None:
        yield from t.collect_fees(schedule, "before_deal")


def burn_by_value(t: Table) -> Move[None]:
    """The first card of a fresh shoe turned up, then as many face down as it counts: ace 1, ten and pictures 10."""
    first = yield from t.burn(up=True, says="Burn the first card, face up")
    if not first.is_read:
        burned = Hand("burn")
        burned.slots.append(first)
        yield from t.name_unread(burned, why="card_unread")
    count = POINTS[first.card.rank] or 10
    for n in range(1, count + 1):
        yield from t.burn(says=f"Burn a card, {n} of {count}")


def _return_orphans(t: Table, lines: tuple[str, str], needy: tuple[str, ...]) -> None:
    """A side bet whose line was taken back has no part in the round."""
    player_line, bank_line = lines
    orphaned = [p for p, standing in t.book.items() if player_line not in standing and bank_line not in standing]
    for place in orphaned:
        standing = t.book[place]
        for wager in needy:
            if wager in standing:
                t.result.returned[place] = t.result.returned.get(place, 0) + standing.pop(wager)
                t.emit(ev.WagerSet(place, wager, 0))
        if not standing:
            del t.book[place]


def third_cards(t: Table, player: Hand, bank: Hand, says: str) -> Move[bool]:
    """Both hands drawn out by the rules; gives whether a natural stopped it."""
    players, banks = total(player), total(bank)
    if is_natural(players, banks):
        return True
    third: int | None = None
    if player_draws(players):
        slot = yield from t.deal(player, says="Player draws")
        third = POINTS[slot.card.rank]
    if banker_draws(banks, third):
        yield from t.deal(bank, says=says)
    return False


def resolve(
    t: Table,
    player: int,
    bank: int,
    flags: dict[str, bool],
    *,
    bank_hand: str,
    pair_marks: tuple[tuple[str, str], ...],
) -> None:
    """The outcome of these totals. `pair_marks`: which hand's first two cards, when they are a pair, get which mark."""
    result, won = t.result, winner(player, bank)
    result.outcome = bank_hand if won == "banker" else won
    result.totals = {"player": [player], bank_hand: [bank]}
    result.flags = flags
    facts_of(t).pairs = [mark for owner, mark in pair_marks if _is_pair(t.hands[owner])]


def _is_pair(hand: Hand) -> bool:
    return hand.slots[0].card.rank == hand.slots[1].card.rank
