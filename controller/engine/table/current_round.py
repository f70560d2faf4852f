"""The round that is prepared or running at a table, the inputs it was fed, and what the table waits for."""

from __future__ import annotations

from typing import Any, Generic

import msgspec

from controller.engine.bank.banking import Banking
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.expect.bank import WantBank
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantCard, WantFloor, WantOpening, WantPack, WantRepair, WantShoe
from controller.engine.fees.banked import Charge
from controller.engine.inputs import Input
from controller.engine.round.game import OptionsT
from controller.engine.round.kernel import Round
from controller.engine.round.procedures import NONE_IN_ROUND, RoundProcedures
from controller.engine.table.lasting import Lasting, RulesInForce
from controller.engine.table.opening import reasons
from controller.engine.table.state import TableState


class Played:
    """A round as it was fed: where it began and what happened, for replay; once it is over, how it ended."""

    __slots__ = ("_done", "began", "inputs")

    def __init__(self, began: TableState) -> None:
        self.began = began
        """The table just before the round's first input: what a restart takes from the journal's snapshot too."""
        self.inputs: list[Input] = []
        self._done: Round | None = None

    def close(self, done: Round) -> None:
        self._done = done

    @property
    def document(self) -> dict[str, Any]:
        """The whole result, in the case format; stays inside the engine."""
        return {} if self._done is None else self._done.table.result.document(self._done.table)

    @property
    def charges(self) -> list[Charge]:
        """The fees that it owes, once it is over."""
        return [] if self._done is None else self._done.table.fees.owed

    @property
    def public(self) -> dict[str, Any]:
        """What everybody may know of it."""
        return {} if self._done is None else _public(self._done)


def _public(current: Round) -> dict[str, Any]:
    table = current.table
    document: dict[str, Any] = msgspec.to_builtins(table.result.event(table))
    return {**document, "void": table.result.void}


def bank_offer(banking: Banking) -> WantBank:
    """The offer of the player-dealer's position, as it is now."""
    turns, rotation = banking.turns, banking.rotation
    holder = banking.place
    if holder is None and turns.hands >= rotation.hands:
        holder = turns.place
    return WantBank(
        rotation.kind,
        banking.offered,
        turns.declined,
        holder,
        banking.hands if banking.place is not None else turns.hands,
        banking.is_due,
        turns.broken_at is not None,
        rotation.resumes == "or_after_a_reasonable_time",
        rotation.first_offer == "seat_one",
        not banking.seats,
    )


class CurrentRound(Generic[OptionsT]):
    """The round that is prepared or running; None where none may begin."""

    def __init__(self, rules: RulesInForce[OptionsT], lasting: Lasting) -> None:
        self._rules, self._lasting = rules, lasting
        self.round: Round | None = None
        self.played = Played(lasting.state)
        self.last: Played | None = None
        """The round before, while it can be corrected."""
        self.prepare()

    @property
    def is_dealing(self) -> bool:
        """A round is running: it has had its first input and is not over."""
        return self.round is not None and self.round.begun

    def prepare(self) -> None:
        """Prepare the next round; it begins with its first input."""
        lasting, rules = self._lasting, self._rules
        lasting.own_seen, lasting.own_counters = {}, {}
        state = lasting.state
        self.played = Played(state)
        self.round = None
        waits = state.differs is not None or state.stops or state.closed or self._waits_for_bank
        if waits or self._lacks_pack or self._not_ready or state.conduct.burn is not None:
            return
        shoe, carried = state.shoe, state.fees_carried
        procedures = self._procedures
        if not rules.game.uses_shoe:
            self.round = Round(
                rules.game, rules.options, state.setup, rules.deck, {}, carried=carried, procedures=procedures
            )
        elif shoe is not None and not shoe.is_over and not shoe.unfit:
            out = dict(shoe.out)
            self.round = Round(
                rules.game,
                rules.options,
                state.setup,
                rules.deck,
                out,
                drawn=shoe.drawn,
                carried=carried,
                procedures=procedures,
            )

    @property
    def _procedures(self) -> RoundProcedures:
        """What the table's procedures leave to the next round."""
        state, printed = self._lasting.state, self._rules.procedures
        hands = self._rules.hand_limits(state)
        if not printed.player_dealer_burn and hands is None:
            return NONE_IN_ROUND
        used = 0 if state.shoe is None else state.shoe.asked_burns
        burns = max(0, printed.player_dealer_burn - used) if printed.player_dealer_burn else None
        return RoundProcedures(burns, hands)

    @property
    def _waits_for_bank(self) -> bool:
        """The player-dealer's position must be offered or taken before another hand."""
        banking = self._rules.banking(self._lasting.state)
        return banking is not None and banking.is_due

    @property
    def _lacks_pack(self) -> bool:
        """Under shuffle control, and without a pack that may be dealt."""
        state = self._lasting.state
        packs = state.packs
        return state.setup.shuffle_control and (packs.in_play if self._rules.game.uses_shoe else packs.ready) is None

    @property
    def _not_ready(self) -> str:
        """Why no round may begin at this table: it is larger than the approval allows, not set as its schedule posts,
        or may not open; empty: none."""
        game, options, setup = self._rules.game, self._rules.options, self._lasting.state.setup
        if text := game.too_many_seats(setup, options) or game.not_posted(setup, options):
            return text
        return "; ".join(reason.text for reason in reasons(self._lasting.state, self._rules))

    @property
    def expectation(self) -> Expectation:
        """Everything legal now."""
        waiting = self._waiting_for()
        return Expectation(waiting.wants, waiting.barred, self._at_any_time())

    def _at_any_time(self) -> AtAnyTime:
        current = self.round
        amends = self._lasting.state.rounds if self.is_dealing or self.last is not None else None
        procedures = self._rules.beside_rounds
        buys_in = not self.is_dealing and self._rules.has_stacks
        if current is None:
            return AtAnyTime(amends=amends, procedures=procedures, buys_in=buys_in)
        takes = current.takes_happenings
        ruled = self._rules.happenings if takes else ()
        return AtAnyTime(current.floor_may, takes, ruled, amends, procedures, buys_in)

    def _waiting_for(self) -> Expectation:
        if self.round is not None:
            return self.round.expectation
        state = self._lasting.state
        differs = state.differs
        if differs is not None:
            choices = ("void",) if differs.running else ("resume",)
            text = f"entry {differs.entry} of the journal does not come out the same: {differs.text}"
            return Expectation((WantFloor("replay_differs", text, choices),))
        if state.stops:
            return Expectation((WantRepair("; ".join(state.stops.values())),))
        if state.closed:
            return Expectation((WantOpening(),))
        if text := self._not_ready:
            return Expectation((WantFloor("table_not_ready", text, choices=()),))
        shoe, conduct = state.shoe, state.conduct
        lacks_shoe = self._rules.game.uses_shoe and (shoe is None or shoe.is_over or bool(shoe.unfit))
        if conduct.dead_spread == "shuffling" and lacks_shoe:
            return Expectation((WantShoe("the game has broken down"),))
        if conduct.burn is not None and not lacks_shoe and not self._lacks_pack:
            burn = conduct.burn
            says = f"Burn a card, {burn.done + 1} of {burn.cards}: {burn.why.replace('_', ' ')}"
            return Expectation((WantCard("burn", burn.done + 1, face_up=False, says=says),))
        banking = self._rules.banking(state)
        if banking is not None and banking.is_due:
            return Expectation((bank_offer(banking),))
        if lacks_shoe:
            return Expectation((WantShoe("" if shoe is None else shoe.unfit),))
        return Expectation((WantPack(self._rules.cards_in_pack),))

    @property
    def charges(self) -> list[Charge]:
        """The fees that the running round owes, or the last one."""
        if self.round is not None and self.round.begun:
            return self.round.table.fees.owed
        return [] if self.last is None else self.last.charges

    @property
    def public_result(self) -> dict[str, Any]:
        """What everybody may know of the running round, or of the last one: exposed cards only."""
        if self.round is not None and self.round.begun:
            return _public(self.round)
        return {} if self.last is None else self.last.public


class Shared:
    """What the parts of one table work on together."""

    def __init__(self, rules: RulesInForce[Any], lasting: Lasting, current: CurrentRound[Any]) -> None:
        self.rules, self.lasting, self.current = rules, lasting, current
