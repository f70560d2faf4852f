"""What screens may know of the table now: exposed cards only.

`view` is the document of the player display, made from the engine alone, after every input; `state.py` makes the
document for the cardroom's monitoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from controller.config import Config
from controller.config.fields import DisplayConfig
from controller.engine.amounts import dollars
from controller.engine.expect.expectation import prompt
from controller.engine.expect.want import title
from controller.engine.expect.wants import WantFloor
from controller.engine.round.felt import Table
from controller.engine.round.game import Game, HistoryEntry
from controller.engine.shoe.shoe import Shoe
from controller.engine.table.engine import TableEngine
from controller.engine.table.waiting import Phase
from controller.games.baccarat.roads import Result, Tail
from controller.games.baccarat.script import Baccarat
from controller.games.poker.core.options import PokerOptions
from controller.outputs.celebration import celebrated
from controller.outputs.posted import posted
from controller.outputs.seating import rows_of, seating, whole_result
from controller.outputs.state import limits_in_force
from controller.outputs.view_types import (
    DeviceView,
    GameView,
    HandView,
    HeldView,
    HouseView,
    JackpotView,
    LimitsView,
    SeatingView,
    ShoeView,
    View,
    shoe_view,
)
from controller.rules import printed_title
from controller.web.house_pictures import NONE, Pictures, address_of

_WINNER: dict[str, Literal["B", "P", "T"]] = {"banker": "B", "dealer": "B", "player": "P", "tie": "T"}


CARDS_IN_A_DECK = 52
_NOBODYS = frozenset({"board", "community", "block"})
"""Hands that are nobody's: not shown while empty; in draw poker they always are."""


_MARKS = frozenset(
    {"qualified", "player_dealer_busted", "player_dealer_natural", "player_dealer_pure", "player_dealer_888"}
)
"""Facts of a round that players speak of, in games without roads."""


class Roads:
    """Keeps the roads of a shoe, so that they are drawn once per hand and not once per input."""

    def __init__(self, tail: Tail = "stay", *, ask_marks: bool = False) -> None:
        self._tail: Tail = tail
        self._ask_marks = ask_marks
        self._drawn: dict[tuple[str, int, tuple[HistoryEntry, ...]], ShoeView] = {}

    def of(self, shoe: Shoe | None, game: Game[Any]) -> ShoeView | None:
        """Null for a game that has no roads."""
        if shoe is None or not isinstance(game, Baccarat):
            return None
        key = (game.slug, shoe.number, shoe.history)
        if key not in self._drawn:
            if len(self._drawn) > 3:
                self._drawn.clear()
            # Rounds of another game in the same shoe, after the floor chose new rules, are not on this one's roads.
            results = [
                Result(_WINNER[entry.outcome], entry.flags) for entry in shoe.history if entry.outcome in _WINNER
            ]
            self._drawn[key] = shoe_view(
                shoe.number,
                results,
                tail=self._tail,
                marks=game.marks,
                ask_marks=self._ask_marks,
                bank_title=title(game.bank_hand),
            )
        drawn = self._drawn[key]
        cards = shoe.cards if shoe.cards is not None or shoe.decks is None else shoe.decks * CARDS_IN_A_DECK
        return msgspec.structs.replace(drawn, cards_out=shoe.drawn, cards=cards, cut_card=shoe.cut_card)


def view(
    engine: TableEngine[Any],
    config: Config,
    seq: int,
    board: Roads,
    *,
    broker_online: bool,
    bets_close_in: int | None = None,
    pictures: Pictures = NONE,
) -> View:
    state, current = engine.state, engine.round
    phase = engine.waits.phase
    running = engine.is_dealing
    result = {} if running or engine.last is None else engine.last.public
    hands = _running_hands(engine, current.table) if running and current is not None else _settled_hands(engine, result)
    if phase == "closed":
        hands = ()
    seats = seating(engine, hands)
    return View(
        site=config.site,
        table=config.table,
        game=GameView(engine.ruleset, printed_title(engine.ruleset, engine.game)),
        test=state.test,
        round=state.rounds,
        seq=seq,
        phase=phase,
        prompt=prompt(engine.expectation),
        held=_held(engine),
        hands=hands,
        felt=engine.game.middle(current.table).lines() if running and current is not None else (),
        seating=seats,
        posted=posted(engine.ruleset, state.options) if _no_cards(phase, hands, seats) else (),
        outcome=_text(result.get("outcome")),
        outcome_text=_outcome_text(engine, result),
        marks=tuple(name for name, on in result.get("flags", {}).items() if on and _is_mark(engine, name)),
        limits=_posted_limits(engine),
        stakes=_stakes(engine),
        jackpots=tuple(JackpotView(one.title, one.main) for one in engine.jackpots.published if one.in_force),
        house=_house(config.display, pictures),
        celebrates=celebrated(engine, config.display.celebrate) if result and phase != "closed" else None,
        bets_close_in=bets_close_in,
        shoe=board.of(state.shoe, engine.game),
        previous_shoe=board.of(state.previous_shoe, engine.game),
        devices=tuple(
            DeviceView(name, device.facts.get("kind", ""), device.state, device.facts.get("detail", ""))
            for name, device in state.devices.items()
            if device.state != "removed"
        ),
        broker_online=broker_online,
        languages=(config.display.language, *config.display.other_languages),
        language_turn_s=config.display.language_turn_s,
    )


def _house(display: DisplayConfig, pictures: Pictures) -> HouseView:
    return HouseView(
        "" if pictures.logo is None else address_of(pictures.logo),
        tuple(map(address_of, pictures.slides)),
        display.slide_s,
        display.pixel_shift,
        display.dim_after_min,
        display.sounds,
    )


def _no_cards(phase: Phase, hands: Sequence[HandView], seats: SeatingView | None) -> bool:
    """Whether there is room for what is posted: at a closed table, and in games without roads between two hands."""
    return phase in ("closed", "waiting") or (seats is not None and not any(hand.cards for hand in hands))


def _is_mark(engine: TableEngine[Any], flag: str) -> bool:
    """Baccarat counts its flags on the boards; of other games some mean something to players."""
    return isinstance(engine.game, Baccarat) or flag in _MARKS


def _held(engine: TableEngine[Any]) -> HeldView | None:
    floor = next((want for want in engine.expectation.wants if isinstance(want, WantFloor)), None)
    return None if floor is None else HeldView(floor.code, floor.text, lifted_by(floor))


JOURNAL_LIFTS = "It goes on by itself when the journal can be written again."


def lifted_by(held: WantFloor) -> str:
    """Who lifts a hold, and how.

    >>> lifted_by(WantFloor("dealer_stops", "", ("resume", "void")))
    'Only the floor lifts it: resume, or void the round.'
    >>> lifted_by(WantFloor("table_not_ready", "", ()))
    'It goes on by itself when the table is set.'
    """
    if not held.choices:
        return "It goes on by itself when the table is set."
    ways = [_WAYS.get(do, do.replace("_", " ")) for do in held.choices if do != "use_next"]
    *others, last = ways
    return f"Only the floor lifts it: {', '.join(others)}{', or ' if others else ''}{last}."


_WAYS = {"void": "void the round"}


def _running_hands(engine: TableEngine[Any], table: Table) -> tuple[HandView, ...]:
    standings = engine.game.standings(table)
    return tuple(
        HandView(
            owner,
            title(owner),
            tuple(slot.face_if_exposed for slot in hand),
            engine.game.counted(hand, engine.options) if len(hand) and hand.is_exposed and hand.is_read else None,
            verdict=standings.get(owner, ""),
        )
        for owner, hand in table.hands.items()
        if len(hand) or owner not in _NOBODYS
    )


def _settled_hands(engine: TableEngine[Any], result: dict[str, Any]) -> tuple[HandView, ...]:
    totals, outcome, document = result.get("totals", {}), result.get("outcome"), whole_result(engine)
    verdicts = {str(place): verdict for place, verdict in outcome.items()} if isinstance(outcome, dict) else {}
    return tuple(
        HandView(
            owner,
            title(owner),
            tuple(cards),
            _total(totals.get(owner)),
            outcome == owner or verdicts.get(owner) == "win",
            verdict if isinstance(verdict := verdicts.get(owner, ""), str) else "",
            _front(document, owner, len(cards)),
        )
        for owner, cards in result.get("hands", {}).items()
    )


def _front(document: dict[str, Any], owner: str, cards: int) -> int:
    """How many cards a hand of the last round that was set in two has in front."""
    rows = rows_of(document, owner, cards)
    return rows[0] if len(rows) == 2 else 0


def _posted_limits(engine: TableEngine[Any]) -> LimitsView | None:
    """The limits in force; none where nobody posted a maximum."""
    least, most = limits_in_force(engine)
    return None if most is None else LimitsView(least, most)


def _stakes(engine: TableEngine[Any]) -> str | None:
    """What a poker table posts: "Limit $2/$4, blinds $1 and $2", "Straight limit $5, ante $1"."""
    settings = engine.state.setup.settings
    structure = settings.get("structure")
    if not isinstance(structure, dict) or not isinstance(engine.options, PokerOptions):
        return None
    text = str(structure.get("kind", "")).replace("_", " ").capitalize()
    if "low" in structure and "high" in structure:
        text = f"{text.removeprefix('Fixed ').capitalize()} {dollars(structure['low'])}/{dollars(structure['high'])}"
    if "limit" in structure:
        text += f" {dollars(structure['limit'])}"
    posts = engine.game.floor_sets()
    blinds = sorted((settings.get("blinds") or {}).values()) if "blinds" in posts else []
    text += f", blinds {' and '.join(map(dollars, blinds))}" if blinds else ""
    ante = max((settings.get("antes") or {}).values(), default=0) if "antes" in posts else 0
    return text + (f", ante {dollars(ante)}" if ante else "")


def _total(counted: Any) -> str | None:
    return None if not counted else " / ".join(str(part) for part in counted)


def _outcome_text(engine: TableEngine[Any], result: dict[str, Any]) -> str | None:
    if not result:
        return None
    return "Round void, all wagers back" if result.get("void") else engine.game.summary(result)


def _text(outcome: Any) -> str | None:
    return outcome if isinstance(outcome, str) else None
