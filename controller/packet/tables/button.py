"""Which position the action begins with, by a card or by the dice: a full table, the player-dealer in its last seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from controller.engine.bets.action_button import by_card, by_card_from_first, by_dice, counted
from controller.engine.cards.card import CARDS, JOKER, rank_name
from controller.engine.round.game import Game
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.caribbean_stud.script import action_position
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.baccarat.dragon_bonus_script import CommissionFreeBaccarat
from controller.games.baccarat.options import BaccaratOptions
from controller.games.baccarat.settlement import LARGE_TABLE, SMALL_TABLE
from controller.games.baccarat.third_card import COUNTS
from controller.games.blackjack.options import BlackjackRules
from controller.games.pai_gow.options import PaiGowOptions
from controller.games.pai_gow.piles import Positions
from controller.games.pai_gow_tiles.hand import STACKS
from controller.packet.document import Block, Grid

CARD_ORDER = (14, *range(2, 14))
THREE_DICE = range(3, 19)


def of_baccarat(game: Game[Any], options: BaccaratOptions) -> list[Block]:
    count = by_card_from_first if isinstance(game, CommissionFreeBaccarat) else by_card
    sizes = (options.positions,) if options.positions is not None else (SMALL_TABLE, LARGE_TABLE)
    bank = getattr(game, "bank_hand", "banker")
    return [
        _cards(f"Action button, by the {bank}'s second card", size, lambda rank, n=size: count(COUNTS[rank], n, n))  # type: ignore[misc]
        for size in sizes
    ]


def of_blackjack(options: BlackjackRules) -> list[Block]:
    size = options.most_seats or options.positions
    match options.action_source.replace(" ", "_"):
        case "dice":
            return [_dice(size, lambda total: by_dice((total,), size, size))]
        case "first_card" | "second_card" as source:
            rows: dict[int, list[str]] = {}
            for rank in CARD_ORDER:
                step = options.button_step(CARDS[rank_name(rank) + "s"], size - 1)
                rows.setdefault(step, []).append(rank_name(rank))
            if getattr(options, "jokers_per_deck", 0):
                joker = CARDS[JOKER]
                if options.leaves_button_open(joker):
                    rows.setdefault(0, []).append("joker")
                else:
                    rows.setdefault(options.button_step(joker, size - 1), []).append("joker")
            return [_grid(f"Action button, by the player-dealer's {source.replace('_', ' ')}", size, rows)]
    return []


def of_caribbean(options: CaribbeanOptions) -> list[Block]:
    size = options.most_seats or options.positions
    if options.action_source == "dice":
        return [_dice(size, lambda total: by_dice((total,), size, size))]
    return [
        _cards(
            "Action button, by the player-dealer's up card",
            size,
            lambda rank: action_position(COUNTS[rank], size, size, options.button_table),
        )
    ]


def of_three_card_poker(options: ThreeCardOptions) -> list[Block]:
    if options.settlement_start != "action_button" and not options.up_card_points:
        return []
    size = options.positions
    return [
        _cards(
            "Action button, by the player-dealer's up card",
            size,
            lambda rank: by_card_from_first(COUNTS[rank], size, size),
        )
    ]


def of_pai_gow(options: PaiGowOptions) -> list[Block]:
    size = options.positions
    seats = Positions(size, ())
    return [_dice(size, lambda total: seats.counted(size, total - options.player_dealer_counts))]


def of_tiles() -> list[Block]:
    return [_dice(STACKS, lambda total: counted(STACKS, 1 - total, STACKS))]


def _cards(title: str, size: int, seat: Callable[[int], int]) -> Grid:
    rows: dict[int, list[str]] = {}
    for rank in CARD_ORDER:
        rows.setdefault(seat(rank), []).append(rank_name(rank))
    return _grid(title, size, rows)


def _dice(size: int, seat: Callable[[int], int]) -> Grid:
    rows: dict[int, list[str]] = {}
    for total in THREE_DICE:
        rows.setdefault(seat(total), []).append(str(total))
    return _grid("Action button, by the total of three dice", size, rows, "dice")


def _grid(title: str, size: int, rows: dict[int, Iterable[str]] | dict[int, list[str]], by: str = "card") -> Grid:
    said = tuple((_seat(seat, size), " ".join(found)) for seat, found in sorted(rows.items()))
    return Grid(f"{title}; {size} positions, the player-dealer in {size}", ("position", by), said)


def _seat(seat: int, size: int) -> str:
    if seat == 0:
        return "the floor names it"
    return f"{seat} (player-dealer)" if seat == size else str(seat)
