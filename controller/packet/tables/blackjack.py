"""The blackjack family: counts, naturals, charts, splits and up cards, asked of the ruleset's own functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any

from controller.engine.cards.card import CARDS, JOKER, Card, Hand, Slot
from controller.engine.round.game import Game
from controller.games.blackjack.counting import Chart, Count
from controller.games.blackjack.options import BlackjackRules
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.values import runs, words

LEAST_HARD, LEAST_SOFT = 3, 12
TEN = 10


def tables(game: Game[Any], options: BlackjackRules) -> list[Block]:
    cards = _kinds(game, options)
    counts = {_name(one): options.count(hand_of([one])) for one in cards}
    rows = tuple(
        (name, f"{count.total - 10} or {count.total}" if count.soft else _counts(count))
        for name, count in counts.items()
    )
    limit = next(iter(counts.values())).limit
    blocks: list[Block] = [
        Grid("What a card counts", ("card", "counts"), rows),
        Paragraph(f"A hand above {limit} is over. A hand in which an ace counts eleven is soft, every other is hard."),
        _naturals(game, options),
        _chart("A player's hand", options.player_chart, limit),
        _chart("The player-dealer's hand", options.player_dealer_chart, limit),
        _up_cards(options, cards),
    ]
    pairs = [
        f"{_name(one)}-{_name(other)}"
        for one, other in combinations_with_replacement(cards, 2)
        if options.may_split(one, other)
    ]
    most = "as often as pairs come" if options.max_splits is None else f"{options.max_splits} times at most"
    split = f"May be split, {most}: {', '.join(pairs)}." if pairs and options.max_splits != 0 else "No hand is split."
    return [*blocks, Paragraph(split), _who_wins(game, options)]


HANDS = tuple(tuple(hand.split("-")) for hand in ("T-T", "T-7", "T-7-4", "T-8-4", "T-9-4", "T-9-7", "7-8-9", "8-8-8"))
"""Two cards that stand, three that make 21, and hands that are over by one, two and more."""


def _who_wins(game: Game[Any], options: BlackjackRules) -> Block:
    """Every pair of these hands, judged by the function that settles the wagers."""
    by_name = {_name(card)[0]: card for card in _kinds(game, options)}
    ten = by_name.get("T") or by_name["K"]
    own = [hand_of([ten if rank == "T" else by_name[rank] for rank in ranks]) for ranks in HANDS]
    found: dict[str, Hand] = {}
    every = [CARDS[code] for code in game.deck(options) or ()]
    for one, other in combinations_with_replacement(every, 2):
        natural = options.count(hand_of([one, other])).natural
        if natural and natural not in found:
            found[natural] = hand_of([one, other])
    hands = [*found.values(), *own]
    rows = tuple((_said(options, hand), *(words(options.outcome(hand, bank)) for bank in hands)) for hand in hands)
    columns = ("player; player-dealer:", *(_said(options, bank, bank=True) for bank in hands))
    return Grid("Who wins: a player's hand against the player-dealer's, each of one suit", columns, rows)


def _said(options: BlackjackRules, hand: Hand, *, bank: bool = False) -> str:
    """ "T-7-4 (21)", "A-K (natural)"."""
    count = options.bank_count(hand) if bank else options.count(hand)
    total = f"{words(count.natural)}, {options.shown(count):g}" if count.natural else str(count.total)
    return f"{'-'.join(_name(card) for card in hand.cards)} ({total})"


def _counts(count: Count) -> str:
    return str(count.total) if count.total <= TEN else f"makes the hand {count.total}"


def _naturals(game: Game[Any], options: BlackjackRules) -> Block:
    """Every kind of two cards that the counting marks as a natural."""
    found: dict[tuple[str, str], list[str]] = {}
    every = [CARDS[code] for code in game.deck(options) or ()]
    for one, other in combinations_with_replacement(every, 2):
        count = options.count(hand_of([one, other]))
        if count.natural:
            alike = one.suit == other.suit and not one.is_joker and not other.is_joker
            name = "-".join(sorted((_name(one), _name(other)), key=_order))
            found.setdefault((words(count.natural), f"{options.shown(count):g}"), []).append(
                f"{name} of one suit" if alike else f"{name} of two suits" if not _has_joker(one, other) else name
            )
    rows = []
    for (natural, shown), names in found.items():
        kinds = dict.fromkeys(names)
        plain = dict.fromkeys(name.partition(" of ")[0] for name in kinds)
        said = [
            name if {f"{name} of one suit", f"{name} of two suits"} <= kinds.keys() or name in kinds else other
            for name in plain
            for other in [next(kind for kind in kinds if kind.partition(" of ")[0] == name)]
        ]
        rows.append((natural, shown, ", ".join(said)))
    return Grid("Naturals: the first two cards", ("natural", "counts", "cards"), tuple(rows))


def _chart(title: str, chart: Chart, limit: int) -> Block:
    def row(kind: str, soft: bool) -> tuple[tuple[str, str, str], ...]:
        totals = range(LEAST_SOFT if soft else LEAST_HARD, limit + 1)
        by_word: dict[str, list[int]] = {}
        for total in totals:
            by_word.setdefault(chart.says(Count(total, soft=soft, limit=limit)), []).append(total)
        said = {"hit": "must hit", "stand": "must stand", "choose": "may hit or stand"}
        return tuple((kind, runs(found), said[word]) for word, found in by_word.items())

    return Grid(f"{title}: hit and stand", ("", "total", ""), (*row("hard", False), *row("soft", True)))


def _up_cards(options: BlackjackRules, cards: Sequence[Card]) -> Block:
    asked: tuple[tuple[str, Callable[[Card], bool]], ...] = (
        ("the dealer looks at the down card before anybody draws", options.is_checked),
        ("insurance is offered", lambda up: options.insurance and options.insures(up)),
        ("nobody draws", options.ends_play),
        ("nobody doubles, splits or surrenders", options.leaves_hit_and_stand),
    )
    rows = []
    for what, holds in asked:
        ups = [_name(up) for up in cards if holds(up)]
        rows.append((what, ", ".join(ups) or "never"))
    return Grid("The player-dealer's up card", ("", "up card"), tuple(rows))


def _kinds(game: Game[Any], options: BlackjackRules) -> list[Card]:
    """One card of each kind in the deck."""
    found: dict[str, Card] = {}
    for code in game.deck(options) or ():
        found.setdefault(_name(CARDS[code]), CARDS[code])
    return [found[name] for name in sorted(found, key=_order)]


def _name(card: Card) -> str:
    return "joker" if card.code == JOKER else card.code[0] + card.code[2:]


def _order(name: str) -> int:
    return "A23456789TJQKj".index(name[0])


def _has_joker(*cards: Card) -> bool:
    return any(card.is_joker for card in cards)


def hand_of(cards: Sequence[Card]) -> Hand:
    hand = Hand("1")
    hand.slots = [Slot(card) for card in cards]
    return hand
