"""A round played by the bot, settled by the engine and by an oracle, and compared.

    assert not differences("baccarat", "village-ez-baccarat", seed=7)

The same seed plays the same round again. The oracles are in tests/oracles; they know nothing of the engine, and this
module is the only one that translates between the two.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    CardOut,
    DiceRolled,
    FloorAct,
    Input,
    Place,
    Revealed,
    ShoeStarted,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import all_rulesets
from tests.oracles import played as oracle
from tests.oracles.registry import FAMILIES
from tests.support.games.own_cards import own_cards

MOST_INPUTS = 3000
ALONE = {"blackjack", "poker"}
"""Families whose oracles know one bettor at each seat, and nothing that is posted beside the blinds."""
BANKS: tuple[tuple[int, ...] | None, ...] = (None, None, (3_000,), (20_000,), (5_000, 40_000), (100_000_000,))


class PlayedRound:
    """One round from a seed: what went in, and what the engine made of it."""

    def __init__(self, slug: str, options: dict[str, Any], seed: str, *, alone: bool = False) -> None:
        """`alone`: one bettor at each seat."""
        self.rng = random.Random(seed)
        self.slug, self.chosen, self.alone = slug, options, alone
        ruleset = all_rulesets()[slug]
        self.game, self.options = ruleset.game, ruleset.options(options)
        self.setup = self._table()
        self.engine = TableEngine(self.game, self.options, TableState(self.setup), slug)
        deck = self.game.deck(self.options)
        assert deck is not None, f"{slug} is played without known cards"
        self._deck = deck
        self._pack = [code for code, count in deck.items() for _ in range(count)]
        self.rng.shuffle(self._pack)
        self.bodies: list[AnyBody] = []
        self.document = self._play()

    def _table(self) -> Setup:
        rng = self.rng
        fewest = getattr(self.options, "fewest_seats", 2)
        top = min(self.game.most_seats(self.options) or 8, 8)
        places = rng.sample(range(1, top + 1), rng.randrange(max(2, fewest + self.game.has_player_dealer), top + 1))
        player_dealer = places.pop() if self.game.has_player_dealer else None
        seats = sorted(places)
        if self.game.has_player_dealer:
            return Setup(seats=tuple(seats), player_dealer=player_dealer, bank=rng.choice(BANKS))
        return self._pot_game(seats)

    def _pot_game(self, seats: list[int]) -> Setup:
        """A button, the posted structure, and stacks of which some are short; odd amounts too, for odd chips."""
        rng = self.rng
        button = rng.choice(seats)
        small, big = (oracle.clockwise(seats, button) * 2)[:2]
        if len(seats) == 2:
            small, big = big, small
        limit = {"kind": "fixed_limit", "low": 300, "high": 600}
        settings: dict[str, Any] = {
            "structure": rng.choice((limit, {"kind": "no_limit"}, {"kind": "pot_limit"})),
            "blinds": {small: 100, big: 300},
            "stacks": {seat: rng.choice((rng.randrange(301, 6000), rng.randrange(5, 60) * 100)) for seat in seats},
        }
        if "antes" in self.game.opens_with:
            settings["blinds"] = {}
            settings["antes"] = dict.fromkeys(seats, 25)
            settings["structure"] = limit | {"forced": 100}
        return Setup(seats=tuple(seats), button=button, settings=settings)

    def _play(self) -> dict[str, Any]:
        engine, rng, has_bank = self.engine, self.rng, self.game.has_player_dealer
        for number in range(MOST_INPUTS):
            if engine.last is not None:
                return engine.last.document
            body = answer(engine.expectation, rng, self._pack.pop, look=self._own_cards)
            if self.alone and isinstance(body, WagerPlaced) and (isinstance(body.place, str) or not has_bank):
                continue
            events = engine.apply(Input(number, "bot", body))
            if not any(isinstance(event, ev.Refused) for event in events):
                self.bodies.append(body)
                if isinstance(body, ShoeStarted):
                    rng.shuffle(self._pack)
            if any(isinstance(event, ev.CardsTakenBack) and event.to == "stub" for event in events):
                self._take_back()
        raise AssertionError(f"{self.slug}: the round does not end")

    def _take_back(self) -> None:
        """Discards were shuffled into the stub: everything is in it that is not out."""
        assert self.engine.round is not None
        out = self.engine.round.table.out
        self._pack = [code for code, count in self._deck.items() for _ in range(count - out.get(code, 0))]
        self.rng.shuffle(self._pack)

    def _own_cards(self, place: Place) -> list[str]:
        return own_cards(self.engine, place)

    def as_played(self) -> oracle.Played:
        """The same for an oracle."""
        bank = self.setup.bank
        dice: tuple[int, ...] = ()
        wagers: oracle.Wagers = {}
        cards: list[str] = []
        acts: list[oracle.Act] = []
        for body in self.bodies:
            match body:
                case WagerPlaced():
                    on_place = wagers.setdefault(str(body.place), {})
                    on_place[body.wager] = body.cents
                case BankPosted():
                    bank = body.spots
                case CardOut():
                    assert body.card is not None
                    cards.append(body.card)
                case StackOut():
                    cards += [card for card in body.cards if card is not None]
                case DiceRolled():
                    dice = body.values
                case Act():
                    acts.append(
                        oracle.Act(
                            str(body.seat),
                            body.do,
                            cents=body.cents,
                            to=body.to,
                            cards=body.cards or (),
                            front=body.front or (),
                            by=body.by,
                            pile=body.pile,
                            cards_out=len(cards),
                        )
                    )
                case FloorAct():
                    acts.append(oracle.Act(str(body.seat), body.do, by="floor"))
                case Revealed():
                    raise AssertionError("every card was read")
                case _:
                    pass
        return oracle.Played(
            sheet=self.slug,
            player_dealer=self.setup.player_dealer or 0,
            bank=bank,
            wagers={place: placed for place, of in wagers.items() if (placed := {w: c for w, c in of.items() if c})},
            cards=cards,
            acts=acts,
            dice=dice,
            options=self.chosen,
            engine=self.document,
            seats=self.setup.seats,
            button=self.setup.button,
            table=self.setup.settings,
        )


def differences(family: str, slug: str, seed: int) -> list[str]:
    """Where engine and oracle settle this round differently, in words."""
    settle, sheets = FAMILIES[family]
    choices = sheets[slug]
    found = PlayedRound(slug, choices[seed % len(choices)], f"{slug}/{seed}", alone=family in ALONE)
    document = found.document
    if document["void"] and not document["net"]:
        return [] if not total(document["net"]) else ["a void round moved money"]
    try:
        return list(_compared(settle(found.as_played()), document))
    except oracle.Unexpected as error:
        return [str(error)]


def _compared(said: oracle.Settled, document: dict[str, Any]) -> Iterator[str]:
    pairs: list[tuple[str, Any, Any]] = []
    if said.seats is not None:
        pairs.append(("net", {str(s): c for s, c in said.seats.items() if c}, _moved_by_seat(document["net"])))
    else:
        pairs += [
            ("net", _moved(said.net), _moved(document["net"])),
            ("bank_net", said.bank_net, document["bank_net"]),
            ("uncovered", _moved(said.uncovered), _moved(document["uncovered"])),
        ]
    if said.outcome is not None:
        pairs.append(("outcome", said.outcome, _named(document["outcome"])))
    if said.totals is not None:
        pairs.append(("totals", said.totals, document["totals"]))
    for flag, is_so in (said.flags or {}).items():
        pairs.append((f"flag {flag}", is_so, document["flags"].get(flag)))
    for what, ours, theirs in pairs:
        if ours != theirs:
            yield f"{what}: the oracle says {ours}, the engine {theirs}"


def _moved(net: dict[Any, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Amounts that moved, by place."""
    moved = {str(place): {wager: cents for wager, cents in of.items() if cents} for place, of in net.items()}
    return {place: of for place, of in moved.items() if of}


def _moved_by_seat(net: dict[Any, int]) -> dict[str, int]:
    return {str(seat): cents for seat, cents in net.items() if cents}


def _named(outcome: Any) -> Any:
    return {str(place): of for place, of in outcome.items()} if isinstance(outcome, dict) else outcome


def total(value: Any) -> int:
    return sum(total(part) for part in value.values()) if isinstance(value, dict) else int(value)
