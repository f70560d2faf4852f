"""The four baccarat games.

Sheets: bankers-ez-baccarat-panda-8, village-ez-baccarat, village-21st-century-baccarat-9-0,
turlock-commission-free-baccarat-dragon-bonus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.oracles.played import Acts, Bank, Cards, Played, Settled, clockwise, nothing_left, seat_of, spot_of, times

Due = Callable[[str, str, int], int]
"""What a wager gets (+) or loses (-): place, wager, stake."""

VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(number): number for number in range(2, 10)}
COUNTS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 10)}
"""The cards of the action button."""

# Whether the banker draws: rows by his total, columns 0 to 9 by the player's third card.
CHART = {
    7: "SSSSSSSSSS",
    6: "SSSSSSHHSS",
    5: "SSSSHHHHSS",
    4: "SSHHHHHHSS",
    3: "HHHHHHHHSH",
    2: "HHHHHHHHHH",
    1: "HHHHHHHHHH",
    0: "HHHHHHHHHH",
}


def total(hand: list[str]) -> int:
    return sum(VALUES[card[0]] for card in hand) % 10


def settle(played: Played) -> Settled:
    return GAMES[played.sheet](played)


def _wagers(played: Played, lines: tuple[str, str], needing: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """What is in action: a side bet without a line wager of the same bettor is not."""
    kept = {}
    for place, wagers in played.wagers.items():
        has_line = any(line in wagers for line in lines)
        left = {wager: cents for wager, cents in wagers.items() if has_line or wager not in needing}
        if left:
            kept[place] = left
    return kept


def _draw(cards: Cards, player: list[str], banker: list[str]) -> None:
    """The third cards. A natural on either side ends the drawing."""
    if total(player) >= 8 or total(banker) >= 8:
        return
    if total(player) > 5:
        if total(banker) <= 5:
            banker.append(cards.one())
        return
    player.append(cards.one())
    if CHART[total(banker)][VALUES[player[2][0]]] == "H":
        banker.append(cards.one())


def _two_each(cards: Cards) -> tuple[list[str], list[str]]:
    first, second, third, fourth = cards.take(4)
    return [first, third], [second, fourth]


def _winner(player: list[str], banker: list[str]) -> str:
    if total(player) == total(banker):
        return "tie"
    return "player" if total(player) > total(banker) else "banker"


def _places(wagers: Iterable[str], first: int) -> list[str]:
    """Clockwise from this seat, a seat's own spot before those behind it."""
    return sorted(wagers, key=lambda place: (seat_of(place) < first, seat_of(place), spot_of(place)))


def _walk(
    played: Played,
    wagers: dict[str, dict[str, int]],
    first: int,
    passes: tuple[tuple[str, ...], ...],
    due: Due,
) -> Bank:
    bank = Bank(played)
    for kinds in passes:
        for place in _places(wagers, first):
            for kind in kinds:
                if kind in wagers[place]:
                    bank.settle(place, kind, due(place, kind, wagers[place][kind]))
    return bank


def _ez(played: Played, tie_pays: str, *, three_card_seven: str, panda: bool) -> tuple[Due, Settled, int]:
    """What each wager is due, the outcome, and the count of the banker's second card."""
    cards = Cards(played.cards)
    player, banker = _two_each(cards)
    _draw(cards, player, banker)
    won = _winner(player, banker)
    dragon_7 = won == "banker" and len(banker) == 3 and total(banker) == 7
    panda_8 = won == "player" and len(player) == 3 and total(player) == 8

    def due(place: str, kind: str, stake: int) -> int:
        if kind == "player_line":
            return {"player": stake, "banker": -stake, "tie": 0}[won]
        if kind == "banker_line":
            if dragon_7 and three_card_seven == "push":
                return 0
            return {"banker": stake, "player": -stake, "tie": 0}[won]
        if kind == "tie":
            return times(stake, tie_pays) if won == "tie" else -stake
        if kind == "dragon_7":
            return 40 * stake if dragon_7 else -stake
        assert kind == "panda_8" and panda
        return 25 * stake if panda_8 else -stake

    said = Settled(outcome=won, totals={"player": [total(player)], "banker": [total(banker)]})
    said.flags = {"dragon_7": dragon_7} | ({"panda_8": panda_8} if panda else {})
    nothing_left(cards)
    return due, said, COUNTS[banker[1][0]]


def _panda(played: Played) -> Settled:
    seven = played.options.get("banker_three_card_seven", "pay")
    due, said, _ = _ez(played, "8:1", three_card_seven=seven, panda=True)
    wagers = _wagers(played, ("player_line", "banker_line"), ("panda_8", "dragon_7"))
    passes = (("player_line",), ("banker_line",), ("tie",), ("panda_8",), ("dragon_7",))
    return _answer(_walk(played, wagers, played.player_dealer + 1, passes, due), said)


def _village_ez(played: Played) -> Settled:
    seven = played.options.get("banker_three_card_seven", "push")
    due, said, second = _ez(played, "9:1", three_card_seven=seven, panda=False)
    wagers = _wagers(played, ("player_line", "banker_line"), ("tie", "dragon_7"))
    # The order matters only when money is short, and then it goes from the action button.
    first = _button_after_player_dealer(second, played.player_dealer)
    passes = (("dragon_7",), ("tie",), ("player_line", "banker_line"))
    return _answer(_walk(played, wagers, first, passes, due), said)


def _answer(bank: Bank, said: Settled) -> Settled:
    bank.said.outcome, bank.said.totals, bank.said.flags = said.outcome, said.totals, said.flags
    return bank.said


def _button_after_player_dealer(count: int, player_dealer: int) -> int:
    """The k-th of the seven other positions, clockwise from the player-dealer, going round again."""
    others = clockwise([seat for seat in range(1, 9) if seat != player_dealer], player_dealer)
    return others[(count - 1) % 7]


ROYALE = {
    "royal_flush": 250,
    "straight_flush": 100,
    "four_of_a_kind": 50,
    "two_pair": 8,
    "pair_suited": 12,
    "pair_same_color": 6,
    "pair": 3,
}


def _royale(player: list[str], dealer: list[str]) -> int | None:
    """What the first four cards pay: the first row that fits. A pair counts within one hand only."""
    four = player + dealer
    ranks = sorted("23456789TJQKA".index(card[0]) for card in four)
    suited = len({card[1] for card in four}) == 1
    if suited and ranks == [9, 10, 11, 12]:
        return ROYALE["royal_flush"]
    if suited and (ranks == [0, 1, 2, 12] or ranks == [ranks[0] + step for step in range(4)]):
        return ROYALE["straight_flush"]
    if len(set(ranks)) == 1:
        return ROYALE["four_of_a_kind"]
    if ranks[0] == ranks[1] and ranks[2] == ranks[3]:
        return ROYALE["two_pair"]
    best = None
    for one, other in (player, dealer):
        if one[0] != other[0]:
            continue
        row = "pair"
        if one[1] == other[1]:
            row = "pair_suited"
        elif {one[1], other[1]} in ({"h", "d"}, {"s", "c"}):
            row = "pair_same_color"
        best = max(best or 0, ROYALE[row])
    return best


def _century(played: Played) -> Settled:
    cards, acts = Cards(played.cards), Acts(played.acts)
    player, dealer = _two_each(cards)
    wagers = _wagers(played, ("player_line", "dealer_line"), ("tie", "royale_bonus"))
    bonus = _royale(player, dealer)
    two_cards = total(player)
    stands = set()
    option = False
    if total(player) < 8 and total(dealer) < 8 and total(player) == 5 and VALUES[dealer[0][0]] in (5, 6):
        option = True
        for place in _places(wagers, played.player_dealer + 1):
            if "player_line" in wagers[place] and acts.next(place, "hit", "stand").do == "stand":
                stands.add(place)
    hole = COUNTS[dealer[1][0]]
    _draw(cards, player, dealer)
    nothing_left(cards, acts)
    won = {"player": "player", "banker": "dealer", "tie": "tie"}[_winner(player, dealer)]

    def due(place: str, kind: str, stake: int) -> int:
        if kind == "player_line":
            mine = two_cards if place in stands else total(player)
            return stake if mine > total(dealer) else -stake if mine < total(dealer) else 0
        if kind == "dealer_line":
            return {"dealer": stake * 19 // 20, "player": -stake, "tie": 0}[won]
        if kind == "tie":
            return 8 * stake if won == "tie" else -stake
        return -stake if bonus is None else bonus * stake

    said = Settled(outcome=won, totals={"player": [total(player)], "dealer": [total(dealer)]})
    said.flags = {"player_option": option}
    first = _button_after_player_dealer(hole, played.player_dealer)
    passes = (("player_line", "dealer_line"), ("royale_bonus",), ("tie",))
    return _answer(_walk(played, wagers, first, passes, due), said)


DRAGON = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}


def _dragon_bonus(played: Played) -> Settled:
    cards = Cards(played.cards)
    player, banker = _two_each(cards)
    naturals = {"player": total(player) >= 8, "banker": total(banker) >= 8}
    _draw(cards, player, banker)
    nothing_left(cards)
    won = _winner(player, banker)
    apart = abs(total(player) - total(banker))

    def dragon(side: str, stake: int) -> int:
        if won == "tie":
            return 0 if naturals["player"] and naturals["banker"] else -stake
        if won != side:
            return -stake
        if naturals[side]:
            return stake
        return DRAGON[apart] * stake if apart >= 4 else -stake

    def due(place: str, kind: str, stake: int) -> int:
        if kind == "player_line":
            return {"player": stake, "banker": -stake, "tie": 0}[won]
        if kind == "banker_line":
            pays = stake // 2 if total(banker) == 6 else stake
            return {"banker": pays, "player": -stake, "tie": 0}[won]
        if kind == "tie":
            return 9 * stake if won == "tie" else -stake
        return dragon(kind.removesuffix("_dragon"), stake)

    said = Settled(outcome=won, totals={"player": [total(player)], "banker": [total(banker)]})
    said.flags = {"player_natural": naturals["player"], "banker_natural": naturals["banker"]}
    wagers = _wagers(played, ("player_line", "banker_line"), ("player_dragon", "banker_dragon"))
    # Counted from the house dealer's left over the seven seats that are not the player-dealer's.
    others = [seat for seat in range(1, 9) if seat != played.player_dealer]
    first = others[(COUNTS[banker[1][0]] - 1) % 7]
    passes = (("player_line",), ("banker_line",), ("tie",), ("player_dragon",), ("banker_dragon",))
    return _answer(_walk(played, wagers, first, passes, due), said)


GAMES = {
    "bankers-ez-baccarat-panda-8": _panda,
    "village-ez-baccarat": _village_ez,
    "village-21st-century-baccarat-9-0": _century,
    "turlock-commission-free-baccarat-dragon-bonus": _dragon_bonus,
}
