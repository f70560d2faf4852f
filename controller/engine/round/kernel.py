"""The kernel drives one game script through one round.

A game is a generator. It yields an `Expectation`, is sent the input that met it, and returns when the round is over; it
works on the table through `felt.Table`.

What the expectation does not admit never reaches the script. From a person it is refused with a reason. From a device
it is an irregularity: the game's own ruling decides (`Game.rulings`), else the table is held until the floor resumes,
plays the stray cards next, or voids.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Slot
from controller.engine.expect.expectation import Expectation, Refusal, WantCard, WantFloor, judge
from controller.engine.expect.lazy import Deferred
from controller.engine.fees.carried import Carried
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Happening,
    StackOut,
    WagerPlaced,
)
from controller.engine.money.bank import Settlement
from controller.engine.round.felt import CardsInTurn, Script, Setup, Table, Unruled, Voided
from controller.engine.round.game import Game, OptionsT, Ruling

_WAGER: Final = WagerPlaced
_CARD: Final = CardOut
_ACT: Final = Act
"""By names of its own: compiled, these need not be looked up among the module's for every input."""


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
    ) -> None:
        """`drawn`: cards that left the shoe in earlier rounds. `carried`: what the last round leaves to these fees.

        The script starts with the first input that reaches the round, never because somebody looks at it: most rounds
        of poker are replaced before, when the floor sets the next hand's button and stacks.
        """
        self.game = game
        self._options: Any = options
        self.table = Table(setup, deck, out)
        self.table.drawn = drawn
        if carried is not None:
            self.table.fees.carried = carried
        self._script: Script | None = None
        self._aside: list[Script] = []
        self.held: WantFloor | None = None
        self.over = False
        self.begun = False
        self.opening: list[ev.Event] = []
        """What the script caused before anything happened: published with the input that begins the round."""
        self._is_broken = False
        self._waiting: Expectation | Deferred | None = None
        self._shown: Round | None = None
        self._deck = deck
        self._checks_cards = deck is not None

    def start(self) -> None:
        """Run the script to its first expectation, as part of an input; once it runs, this does nothing."""
        if self._script is not None:
            return
        self._shown = None
        self._script = self.game.play(self.table, self._options)
        try:
            self._waiting = next(self._script)
        except Exception as error:
            self._fault(error)
        self.opening, self.table.events = self.table.events, []

    @property
    def shown(self) -> Round:
        """This round for whoever looks at it. Before its script has started it is a copy that no input ever reaches,
        so that looking changes nothing."""
        if self._script is not None:
            return self
        if self._shown is None:
            table = self.table
            copy = Round(
                self.game,
                self._options,
                table.setup,
                self._deck,
                dict(table.out),
                drawn=table.drawn,
                carried=table.fees.carried,
            )
            copy.start()
            self._shown = copy
        return self._shown

    @property
    def expectation(self) -> Expectation:
        """What the table waits for."""
        waiting = self._waiting or self.shown._waiting
        assert waiting is not None
        return waiting.told() if isinstance(waiting, Deferred) else waiting

    @property
    def floor_may(self) -> tuple[str, ...]:
        """What the floor may do beside what it is asked for."""
        waives = ("waive",) if self.shown.table.waiver_refusal() is None else ()
        return ("hold", "void", *waives) if self.begun else ("hold", *waives)

    @property
    def hears_happenings(self) -> bool:
        """Whether something may still befall the round; once its script is gone it can only be void."""
        return not self.shown._is_broken

    def feed(self, body: AnyBody) -> None:
        """Apply one input; what it causes is in `table.events`."""
        if self._waiting is None:
            self.start()
        table, waiting = self.table, self._waiting
        assert waiting is not None
        try:
            if type(body) is _WAGER:
                # Where a script takes wagers and nothing else, it would only wait for the same again.
                if waiting is table.only_wagers and table.take_plain(body):
                    self.begun = True
                    return
            elif type(body) is _CARD:
                # A card that is waited for and, if it was read, can come from this deck: `judge` would find nothing.
                code = body.card
                if not body.locked:
                    if type(waiting) is CardsInTurn:
                        if code is not None and table.take_in_turn(waiting, code):
                            self.begun = True
                            return
                        is_wanted = True
                    else:
                        is_wanted = (
                            type(waiting) is Expectation and bool(waiting.wants) and type(waiting.wants[0]) is WantCard
                        )
                    if is_wanted and (code is None or not self._checks_cards or table.one_card_problem(code) is None):
                        self.begun = True
                        self._send(body)
                        return
            elif type(body) is _ACT:
                if isinstance(waiting, Deferred) and waiting.admits(body):
                    self.begun = True
                    self._send(body)
                    return
            elif waiting is table.only_wagers:
                if type(body) is BankPosted and table.take_bank(body):
                    self.begun = True
                    return
                if type(body) is BetsClosed:
                    self.begun = True
                    self._send(body)
                    return
            self._judge(waiting, body)
        except Exception as error:
            self.begun = True
            self._fault(error)

    def befall(self, body: Happening) -> None:
        """Apply what a device tells, or what is noticed about one. That is not the floor's word: a held table stays
        held."""
        if self.held is None:
            self.feed(body)
            return
        text = body.code.replace("_", " ")
        self.table.emit(ev.Irregularity(body.code, text, _facts(body)))
        self._hold(body.code, text)

    def _judge(self, waiting: Expectation | Deferred, body: AnyBody) -> None:
        refusal = judge(waiting.told() if isinstance(waiting, Deferred) else waiting, body)
        if type(body) is CardOut or type(body) is StackOut:
            refusal = self._card_refusal(body, refusal)
        if refusal is not None:
            self._not_expected(body, refusal)
        elif self.held is not None:
            self.begun = True
            self._decide(body)
        else:
            self.begun = True
            self._send(body)

    def _not_expected(self, body: AnyBody, refusal: Refusal) -> None:
        match body:
            case CardOut() | StackOut():
                self._stray(body, refusal)
            case Happening() if not self._is_broken:
                self._happen(body)
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
                # Else whatever makes the next round ready anew, a seat that is taken, would end the hold unheard.
                self.begun = True
                self._hold("floor_hold", body.reason or "the floor holds the table")
            case _:
                self.table.refuse(body, refusal)

    def _waive(self, body: FloorAct) -> None:
        refusal = self.table.waive_fees(body.reason)
        if refusal is not None:
            self.table.refuse(body, refusal)
            return
        self.begun = True
        if self.held is None:
            self._send(None)

    def _fault(self, error: Exception) -> None:
        """A mistake in a game's script. It comes out the same at every replay, so it is held like any irregularity; the
        script is gone, so the floor can only void the round."""
        self._is_broken = True
        code, text = "engine_fault", f"the game's program failed ({type(error).__name__}); void the round"
        self.table.emit(ev.Irregularity(code, text))
        self._hold(code, text)

    def _card_refusal(self, body: AnyBody, refusal: Refusal | None) -> Refusal | None:
        """What speaks against a card that left the shoe, besides what the table waits for."""
        if refusal is not None and refusal.why == "card_before_fees":
            return refusal
        if type(body) is CardOut:
            if body.locked:
                return Refusal("overdraw", "a card left the shoe while it was locked")
            if refusal is not None or not self._checks_cards or body.card is None:
                return refusal
            return self.table.one_card_problem(body.card)
        if refusal is not None or not self._checks_cards:
            return refusal
        assert type(body) is StackOut
        return self.table.card_problem([code for code in body.cards if code is not None])

    def _send(self, body: AnyBody | None) -> None:
        try:
            if self._aside:
                try:
                    self._waiting = self._aside[-1].send(body)
                    return
                except StopIteration:
                    self._aside.pop()
                    body = None
            assert self._script is not None
            self._waiting = self._script.send(body)
        except StopIteration:
            self.over = True
            self._waiting = Expectation(())
        except Voided as void:
            self._void(void)

    def _happen(self, body: Happening) -> None:
        self.begun = True
        ruling = self.game.rulings.get(body.code)
        self.table.emit(ev.Irregularity(body.code, body.code.replace("_", " "), _facts(body)))
        if ruling is None:
            word = self.game.unruled(self._options)
            if word:
                self.table.rule(word, body.seat)
            self._hold(body.code, body.code.replace("_", " "))
            return
        self._rule(ruling, body)

    def _rule(self, ruling: Ruling, body: Happening) -> None:
        """What the game says to it."""
        try:
            aside = ruling(self.table, body)
            if aside is not None:
                self._aside.append(aside)
                self._waiting = next(aside)
                return
        except StopIteration:
            self._aside.pop()
        except Voided as void:
            self._void(void)
            return
        except Unruled as unruled:
            if unruled.code:
                self.table.rule(unruled.code, body.seat)
            self._hold(body.code, unruled.reason)
            return
        self._send(None)

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
        self._waiting = Expectation((self.held,))

    def _may_play_strays(self) -> bool:
        """No game can count a card that is not of its deck. A copy too many is the floor's to let through where it may
        have been misread in an earlier round; within one round, the wrong reading is corrected instead."""
        codes = [slot.card.code for slot in self.table.strays if slot.is_read]
        if not self.game.uses_shoe:
            return self.table.card_problem(codes) is None
        problems = [self.table.one_card_problem(code) for code in codes]
        return all(problem is None or problem.why != "foreign_card" for problem in problems)

    def _decide(self, body: AnyBody) -> None:
        """The floor's word on a held table."""
        if type(body) is Happening:
            # The ruling may want the cards that stopped the table; what it does not take is out of play.
            held, told = self.held, len(self.table.events)
            self.held = None
            self._happen(body)
            if held is not None and any(type(event) is ev.Refused for event in self.table.events[told:]):
                # It is no ruling for this moment: the floor still has to find one.
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
        self.held = None
        self.table.emit(ev.Resumed(body.do, body.reason))
        self._send(None)

    def _count_out(self, strays: Iterable[Slot]) -> None:
        """Whatever becomes of them, these cards have left the deck."""
        for slot in strays:
            if slot.is_read:
                self.table.count_out(slot.card.code)

    def _void(self, void: Voided) -> None:
        for script in self._aside:
            script.close()
        if self._script is not None:
            self._script.close()
        self._count_out(self.table.strays)
        self.held, self.over, self.begun = None, True, True
        self._waiting = Expectation(())
        result, stakes = self.table.result, self.table.stakes
        result.void = True
        result.rulings.append(void.ruling)
        for place, cents in stakes.items():
            result.returned[place] = result.returned.get(place, 0) + cents
        self.table.settlement = Settlement(self.table.bank)
        returned = {str(place): cents for place, cents in stakes.items()}
        fees = self.table.fees.void()
        self.table.emit(ev.RoundVoided(void.ruling, void.reason, returned, fees))


_DECISIONS: Final = ("resume", "use_next", "void")
_WITHOUT_STRAYS: Final = ("resume", "void")
_CARD_CODES = frozenset(
    {"overdraw", "foreign_card", "duplicate_card", "no_such_card", "wrong_count", "card_before_fees"}
)


def _facts(body: Happening) -> dict[str, Any]:
    facts: dict[str, Any] = dict(body.facts)
    if body.seat is not None:
        facts["seat"] = body.seat
    return facts
