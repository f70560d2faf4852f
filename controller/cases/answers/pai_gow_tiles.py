"""Pai Gow Tiles: the better of two hands (`ranking`), how the house way sets four tiles (`house_way`), events and
settings by their ruling (`legality`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import Card, card, codes
from controller.games.pai_gow_tiles.hand import NEEDS_RULING, PLAYER_DEALER
from controller.games.pai_gow_tiles.house_way import NotFixed, TilesHouseWay
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.rulings import to_seat, while_stacking
from controller.games.pai_gow_tiles.script import PaiGowTiles
from controller.games.pai_gow_tiles.tiles import TileRanking


def pai_gow_tiles(asked: Question[TileOptions]) -> Document:
    options = asked.options
    match asked.kind:
        case "ranking":
            return _rank_hands(asked.case["cards"], options.ranking)
        case "house_way" if options.setter is not None:
            return _set_hands(asked.case["cards"], options.setter)
        case "legality":
            return {"rulings": [_ruling_alone(act, options, asked.player_dealer) for act in asked.acts]}
    raise asked.unanswered


ANSWERS: Answers = {PaiGowTiles: pai_gow_tiles}


def _tiles(codes: list[str]) -> list[Card]:
    return [card(str(code)) for code in codes]


def _rank_hands(cards: Mapping[Any, Any], ranking: TileRanking) -> Document:
    """Each hand, of four tiles the low and the high one, or the better of two named a and b."""
    ranks: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    for name, hands in cards.items():
        if isinstance(hands, list):
            set_apart = all(isinstance(part, list) for part in hands)
            ranks[name] = (
                [ranking.document(_tiles(part)) for part in hands] if set_apart else ranking.document(_tiles(hands))
            )
            continue
        pairs = {side: _tiles(tiles) for side, tiles in hands.items()}
        ranks[name] = {side: ranking.document(pair) for side, pair in pairs.items()}
        a, b = ranking.rank(pairs["a"]), ranking.rank(pairs["b"])
        winner[name] = "copy" if a == b else "a" if a > b else "b"
    return {"ranks": ranks, "more": {"winner": winner}}


def _set_hands(cards: Mapping[Any, list[str]], way: TilesHouseWay) -> Document:
    hands: dict[str, Any] = {}
    ranks: dict[str, Any] = {}
    pair: dict[Any, str] = {}
    explained: dict[Any, str] = {}
    ruling = []
    for name, dealt in cards.items():
        try:
            setting = way.set(_tiles(dealt))
        except NotFixed as problem:
            ruling.append(NEEDS_RULING)
            pair[name], explained[name] = NEEDS_RULING, str(problem)
            continue
        hands[str(name)] = [codes(setting.arranged.low), codes(setting.arranged.high)]
        ranks[str(name)] = setting.arranged.documents()
        pair[name], explained[name] = setting.pair, setting.explained
    return {"hands": hands, "ranks": ranks, "ruling": ruling, "more": {"pair": pair, "explained": explained}}


def _ruling_alone(act: Mapping[str, Any], options: TileOptions, player_dealer: object) -> str:
    """The ruling on one event, or one setting, without a round. Tiles play as they are set (816, A6)."""
    if act.get("do") == "set":
        return "none"
    code = str(act.get("event"))
    if not options.rulings.get(code):
        return NEEDS_RULING
    tiles = _tiles([*act.get("cards", ()), *([act["card"]] if "card" in act else ())])
    count = max(1, len(tiles), int(act.get("count", 1)))
    if code == "exposed_while_stacking":
        return while_stacking(tiles, count)
    return to_seat(tiles, count, player_dealer=act.get("seat") in (player_dealer, PLAYER_DEALER))
