"""The kernel drives one game script through one round.

A game is a generator. It yields an `Expectation`, is sent the input that met it, and returns when the round is over; it
works on the table through `felt.Table`.

What the expectation does not admit never reaches the script. From a person it is refused with a reason. From a device
it is an irregularity: the game's own ruling decides (`Game.rulings`), else the table is held until the floor resumes,
plays the stray cards next, or voids.

`Round.feed` is the whole way of an input; for the inputs that come most often `engine/table/fast_paths.py` has a
shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Slot
from controller.engine.expect.expectation import Expectation, judge
from controller.engine.expect.lazy import LazyExpectation, built
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.fees.carried import Carried
from controller.engine.inputs import AnyBody, CardOut, DiceRolled, FloorAct, Happening, StackOut
from controller.engine.round.felt import Script, Setup, Table, Unruled, Voided
from controller.engine.round.game import Game, OptionsT, Ruling
from controller.engine.round.procedures import NONE_IN_ROUND, RoundProcedures

READER_OFFLINE: Final = "reader_offline"
"""What gives or reads the cards went away in mid-round."""
_SAID: Final = {"dealer_stops": "the dealer has stopped the game"}


class Round:
    """One round: a script, its expectation, and what stops it."""

    def __init__(
        self,
        game: Game[OptionsT],
        options: OptionsT,
        setup: Setup,
        deck: dict[str, int] | None,
        out: dict[str, int],
        *,
        drawn: int = 0,
        carried: Carried | None = None,
        procedures: RoundProcedures = NONE_IN_ROUND,
    ) -> None:
        """`drawn`: cards that left the shoe in earlier rounds. `carried`: what the last round leaves to these fees.

        The script starts with the first input that reaches the round, never because somebody looks at it: most rounds
        of poker are replaced before, when the floor sets the next hand's button and stacks.
        """
        self.game = game
        self._options: Any = options
        self.table = Table(setup, deck, out, drawn=drawn, carried=carried, procedures=procedures)
        self._script: Script | None = None
        self._rulings: list[Script] = []
        """Scripts of rulings, which run before the game's goes on."""
        self.waiting: Expectation | LazyExpectation | None = None
        """What the script waits for; None before it has started."""
        self.held: WantFloor | None = None
        self._held_before: tuple[str, str] | None = None
        """For what it was held when the reader went away, code and text."""
        self.over = False
        self.begun = False
        self.opening: list[ev.Event] = []
        """What the script caused before anything happened: published with the input that begins the round."""
        self._is_broken = False
        self._shown: Round | None = None

    def start(self) -> None:
        """Run the script to its first expectation, as part of an input; does nothing once it runs."""
        if self._script is not None:
            return
        self._shown = None
        self._script = self.game.play(self.table, self._options)
        try:
            self.waiting = next(self._script)
        except Exception as error:
            self.fail(error)
        self.opening = self.table.take_events()

    @property
    def shown(self) -> Round:
        """This round, to be read. Before its script has started this is a copy that no input ever reaches,
        so that reading changes nothing."""
        if self._script is not None:
            return self
        if self._shown is None:
            table = self.table
            copy = Round(
                self.game,
                self._options,
                table.setup,
                table.cards.deck,
                dict(table.out),
                drawn=table.drawn,
                carried=table.fees.carried,
                procedures=table.procedures,
            )
            copy.start()
            self._shown = copy
        return self._shown

    @property
    def expectation(self) -> Expectation:
        """What the table waits for."""
        waiting = self.waiting or self.shown.waiting
        assert waiting is not None
        return built(waiting)

    @property
    def floor_may(self) -> tuple[str, ...]:
        """What the floor may do beside what it is asked for."""
        waives = ("waive",) if self.shown.table.fee_collection.waiver_refusal() is None else ()
        return ("hold", "void", *waives) if self.begun else ("hold", *waives)

    @property
    def takes_happenings(self) -> bool:
        """Whether the round can go on after an irregularity; once its script is gone it can only be void."""
        return not self.shown._is_broken

    def feed(self, body: AnyBody) -> None:
        """Apply one input; what it causes is in `table.events`."""
        self.start()
        assert self.waiting is not None
        try:
            self._judge(built(self.waiting), body)
        except Exception as error:
            self.begun = True
            self.fail(error)

    def interrupt(self, body: Happening) -> None:
        """Apply what a device reports, or what is noticed about one. It is not from the floor, so a held table
        stays held."""
        if self.held is None:
            self.feed(body)
            return
        text = _text(body)
        self.table.emit(ev.Irregularity(body.code, text, _facts(body)))
        if body.code == READER_OFFLINE and self.held.code != READER_OFFLINE:
            self._held_before = self.held.code, self.held.text
        self._hold(body.code, text)

    def reader_back(self, text: str) -> None:
        """What gives the cards was away and is there again: a table that is held for that is held for what it was held
        for before, or states that it is back. It is still the floor that lifts it."""
        if self.held is not None and self.held.code == READER_OFFLINE:
            code, text = self._held_before or ("reader_back", text)
            self._held_before = None
            # It is the same hold, so there is no event of another one.
            self._await_floor(code, text)

    def _judge(self, waiting: Expectation, body: AnyBody) -> None:
        refusal = judge(waiting, body)
        if type(body) is CardOut or type(body) is StackOut:
            refusal = self._card_refusal(body, refusal)
        elif type(body) is Happening and (unknown := _no_cards(body)):
            self.table.refuse(body, Refusal("no_such_card", f"there is no card {', '.join(unknown)}"))
            return
        if refusal is not None:
            self._not_expected(body, refusal)
        elif self.held is not None:
            self.begun = True
            self._decide(body)
        else:
            self.begun = True
            self.send(body)

    def _not_expected(self, body: AnyBody, refusal: Refusal) -> None:
        match body:
            case CardOut() | StackOut():
                self._stray(body, refusal)
            case Happening() if not self._is_broken:
                self._apply_happening(body)
            case FloorAct(do="void") if self.begun:
                self._void(Voided("floor_void", body.reason))
            case FloorAct(do="void"):
                self.table.refuse(body, Refusal("no_round", "no round is being dealt; there is nothing to void"))
            case FloorAct(do="waive"):
                self._waive(body)
            case DiceRolled() if refusal.why == "dice_before_fees":
                self.begun = True
                self.table.emit(ev.Irregularity(refusal.why, refusal.text))
                self._hold(refusal.why, refusal.text)
            case FloorAct(do="hold"):
                # Else whatever prepares the next round again, such as a seat that is taken, would end the hold.
                self.begun = True
                self._hold("floor_hold", body.reason or "the floor holds the table")
            case _:
                self.table.refuse(body, refusal)

    def _waive(self, body: FloorAct) -> None:
        refusal = self.table.fee_collection.waive(body.reason)
        if refusal is not None:
            self.table.refuse(body, refusal)
            return
        self.begun = True
        if self.held is None:
            self.send(None)

    def fail(self, error: Exception) -> None:
        """A mistake in a game's script. Every replay comes to the same, so it is held like any irregularity; the script
        is gone, so the floor can only void the round."""
        self._is_broken = True
        code, text = "engine_fault", f"the game's program failed ({type(error).__name__}); void the round"
        self.table.emit(ev.Irregularity(code, text))
        self._hold(code, text)

    def _card_refusal(self, body: AnyBody, refusal: Refusal | None) -> Refusal | None:
        """Why a card that left the shoe is refused, besides what the table waits for."""
        if refusal is not None and refusal.why == "card_before_fees":
            return refusal
        cards = self.table.cards
        if type(body) is CardOut:
            if body.locked:
                return Refusal("overdraw", "a card left the shoe while it was locked")
            if refusal is not None or cards.deck is None or body.card is None:
                return refusal
            return cards.one_card_problem(body.card)
        if refusal is not None or cards.deck is None:
            return refusal
        assert type(body) is StackOut
        return cards.card_problem([code for code in body.cards if code is not None])

    def send(self, body: AnyBody | None) -> None:
        """Resume the script with an input that is legal, or with None: something happened."""
        try:
            if self._rulings:
                try:
                    self.waiting = self._rulings[-1].send(body)
                    return
                except StopIteration:
                    self._rulings.pop()
                    body = None
            assert self._script is not None
            self.waiting = self._script.send(body)
        except StopIteration:
            self.over = True
            self.waiting = Expectation(())
        except Voided as void:
            self._void(void)

    def _apply_happening(self, body: Happening) -> None:
        self.begun = True
        ruling = self.game.rulings.get(body.code)
        text = _text(body)
        self.table.emit(ev.Irregularity(body.code, text, _facts(body)))
        if ruling is None:
            code = self.game.unruled(self._options)
            if code:
                self.table.rule(code, body.seat)
            self._hold(body.code, text)
            return
        self._rule(ruling, body)

    def _rule(self, ruling: Ruling, body: Happening) -> None:
        """Apply the game's ruling."""
        try:
            script = ruling(self.table, body)
            if script is not None:
                self._rulings.append(script)
                self.waiting = next(script)
                return
        except StopIteration:
            self._rulings.pop()
        except Voided as void:
            self._void(void)
            return
        except Unruled as unruled:
            if unruled.code:
                self.table.rule(unruled.code, body.seat)
            self._hold(body.code, unruled.reason)
            return
        self.send(None)

    def _stray(self, body: CardOut | StackOut, refusal: Refusal) -> None:
        """A card that nobody expects: out of the deck, face down for us, and the floor is called."""
        self.begun = True
        cards = (body.card,) if type(body) is CardOut else body.cards  # type: ignore[union-attr]
        for code in cards:
            known = CARDS.get(code) if code is not None else None
            stray = Slot(known, Audience.NOBODY)
            self.table.strays.append(stray)
            self.table.left.append(stray)
        code_of = refusal.why if refusal.why in _CARD_CODES else "card_not_expected"
        text = refusal.text if code_of == refusal.why else "a card left the shoe that nobody expected"
        self.table.emit(ev.Irregularity(code_of, text, {"cards": len(cards)}))
        ruling = self.game.rulings.get(self.game.miscounted_stack) if code_of == "wrong_count" else None
        if self.held is None and ruling is not None:
            self._rule(ruling, Happening(self.game.miscounted_stack, facts={"cards": len(cards)}))
        elif self.held is None:
            self._hold(code_of, text)
        else:
            self._await_floor(self.held.code, self.held.text)

    def _hold(self, code: str, text: str) -> None:
        self._await_floor(code, text)
        self.table.emit(ev.Held(code, text))

    def _await_floor(self, code: str, text: str) -> None:
        """What the floor may decide. Where the script is gone, nothing but void."""
        if self._is_broken:
            self.held = WantFloor(code, text, ("void",))
        else:
            choices = _DECISIONS if self._may_play_strays() else _WITHOUT_STRAYS
            self.held = WantFloor(code, text, choices, self.game.happenings(self._options))
        self.waiting = Expectation((self.held,))

    def _may_play_strays(self) -> bool:
        """No game can count a card that is not of its deck. A copy too many is the floor's to let through where it may
        have been misread in an earlier round; within one round, the wrong reading is corrected instead."""
        codes = [slot.card.code for slot in self.table.strays if slot.is_read]
        if not self.game.uses_shoe:
            return self.table.cards.card_problem(codes) is None
        problems = [self.table.cards.one_card_problem(code) for code in codes]
        return all(problem is None or problem.why != "foreign_card" for problem in problems)

    def _decide(self, body: AnyBody) -> None:
        """The floor's decision on a held table."""
        if type(body) is Happening:
            # The ruling may want the cards that stopped the table; what it does not take is out of play.
            held, before = self.held, len(self.table.events)
            self.held = None
            self._apply_happening(body)
            if held is not None and any(type(event) is ev.Refused for event in self.table.events[before:]):
                # The ruling does not fit this moment: the floor still has to decide.
                self._await_floor(held.code, held.text)
            elif self.held is None:
                self._count_out(self.table.strays)
                self.table.strays.clear()
            return
        assert type(body) is FloorAct
        if body.do == "void":
            self._void(Voided("floor_void", body.reason))
            return
        strays, self.table.strays = self.table.strays, []
        self._count_out(strays)
        if body.do == "use_next":
            for slot in strays:
                slot.expose()
            self.table.queue.extend(strays)
        self.held = self._held_before = None
        self.table.emit(ev.Resumed(body.do, body.reason))
        self.send(None)

    def _count_out(self, strays: Iterable[Slot]) -> None:
        """Whatever becomes of them, these cards have left the deck."""
        for slot in strays:
            if slot.is_read:
                self.table.cards.count_out(slot.card.code)

    def _void(self, void: Voided) -> None:
        for script in self._rulings:
            script.close()
        if self._script is not None:
            self._script.close()
        self._count_out(self.table.strays)
        self.held, self.over, self.begun = None, True, True
        self.waiting = Expectation(())
        result, stakes = self.table.result, self.table.stakes
        result.void = True
        result.rulings.append(void.ruling)
        for place, cents in stakes.items():
            result.returned[place] = result.returned.get(place, 0) + cents
        self.table.wagers.void()
        returned = {str(place): cents for place, cents in stakes.items()}
        fees = self.table.fees.void()
        self.table.emit(ev.RoundVoided(void.ruling, void.reason, returned, fees, self.table.fees.boxes))


_DECISIONS: Final = ("resume", "use_next", "void")
_WITHOUT_STRAYS: Final = ("resume", "void")
_CARD_CODES = frozenset(
    {"overdraw", "foreign_card", "duplicate_card", "no_such_card", "wrong_count", "card_before_fees"}
)


def _no_cards(body: Happening) -> list[str]:
    """What an irregularity names as cards and is none."""
    named = body.cards if body.card is None else (body.card, *body.cards)
    return [code for code in named if code not in CARDS]


def _text(body: Happening) -> str:
    """What happened, in words."""
    if body.code == READER_OFFLINE and "device" in body.facts:
        return f"{body.facts['device']} does not answer: it gives no card"
    return _SAID.get(body.code) or body.code.replace("_", " ")


def _facts(body: Happening) -> dict[str, Any]:
    facts: dict[str, Any] = dict(body.facts)
    if body.seat is not None:
        facts["seat"] = body.seat
    return facts
