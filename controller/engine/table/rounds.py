"""The rounds of a table: an input reaches the round, which begins with its first and is closed after its last."""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.expect.bank import WantBank
from controller.engine.expect.expectation import judge, prompt
from controller.engine.expect.wants import WantDrop
from controller.engine.fees import ledger
from controller.engine.inputs import AnyBody, CardOut, Happening, Input, SensorSeen, StackOut, kind_of
from controller.engine.round.felt import Table
from controller.engine.round.kernel import Round
from controller.engine.table import fast_paths
from controller.engine.table.bank import TableBank
from controller.engine.table.current_round import Shared
from controller.engine.table.devices.drop import TableDrop
from controller.engine.table.devices.shoe import TableShoe
from controller.engine.table.jackpots import TableJackpots
from controller.engine.table.procedures import TableProcedures
from controller.engine.table.state import AWAY


class Rounds:
    """Feeds the current round, and keeps what one round leaves to the next."""

    def __init__(
        self,
        shared: Shared,
        shoe: TableShoe,
        drop: TableDrop,
        *,
        bank: TableBank,
        procedures: TableProcedures,
        jackpots: TableJackpots,
        is_fast: bool,
    ) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._shoe, self._drop, self._bank, self._procedures = shoe, drop, bank, procedures
        self._jackpots, self._is_fast = jackpots, is_fast

    def feed(self, body: AnyBody) -> list[ev.Event]:
        current = self._current.round
        if current is None:
            return self._without_round(body)
        was_begun = current.begun
        if not was_begun and type(body) is StackOut and self._lasting.state.packs.withdrawn:
            # It was on its way when the round was void; the next round does not begin with it.
            return self.out_of_play(body)
        if not (self._is_fast and fast_paths.feed(current, body)):
            current.feed(body)
        if current.begun and not was_begun:
            self._begin(current)
        if current.over:
            self.close(current)
        return current.table.take_events()

    def interrupt(self, what: Happening) -> list[ev.Event]:
        """Something happened in mid-round to what deals or reads the cards: the game's ruling decides, else the
        floor."""
        current = self._current.round
        assert current is not None
        current.interrupt(what)
        if current.over:
            self.close(current)
        return current.table.take_events()

    def reader_back(self, text: str) -> list[ev.Event]:
        """What gives the cards is there again: a table that is held because it was away is held with this text."""
        current = self._current.round
        if current is None:
            return []
        current.reader_back(text)
        return current.table.take_events()

    def notice(self, what: Happening) -> list[ev.Event]:
        """Something about a device that deals or reads the cards does not fit, in a round or before one: the game's
        ruling decides, else the floor. A table that is held already stays held as it is."""
        current = self._current.round
        if current is None or current.held is not None:
            return [ev.Irregularity(what.code, what.code.replace("_", " "), dict(what.facts))]
        return self.feed(what)

    def restarted(self, what: Happening) -> list[ev.Event]:
        """A device has restarted in mid-round. Its absence, where one was reported, has held the table once; that it
        comes back restarted does not hold it again."""
        device = self._lasting.state.devices.get(what.facts["device"])
        if device is not None and device.state in AWAY:
            return [ev.Irregularity(what.code, what.code.replace("_", " "), dict(what.facts))]
        return self.notice(what)

    def happened(self, value: Input) -> list[ev.Event]:
        """An irregularity, reported by a person or a device."""
        body, current = value.body, self._current.round
        assert type(body) is Happening
        report = self._procedures.report_of(body.code)
        if report is not None:
            return report(value, body)
        if body.code == "shoe_empty":
            events = self._shoe.empty()
            if events is not None:
                return events
        if value.by.startswith("device:") and current is not None and current.held is not None:
            return self.interrupt(body)
        return self.feed(body)

    def dropped(self, body: SensorSeen) -> list[ev.Event]:
        """Something fell into a box: a round that is owed a fee there has it, and goes on where it waited for that.

        A round that is prepared and not begun changes only by the input that begins it; else a restart in between,
        which prepares it again, would lose what fell.
        """
        current = self._current.round
        if current is None:
            return []
        current.start()
        waits = any(type(want) is WantDrop for want in current.expectation.wants)
        if not (waits or current.begun) or not current.table.fees.sense(body.box):
            return []
        return self.feed(body) if waits else []

    def out_of_play(self, body: AnyBody) -> list[ev.Event]:
        """An input for a round that is void by now."""
        if type(body) is StackOut:
            text = "a stack left the machine after the round was void; it is out of play"
            return [ev.Irregularity("card_not_expected", text, {"cards": len(body.cards)})]
        if type(body) is CardOut:
            return [ev.Irregularity("card_not_expected", "a card left the shoe after the round was void", {"cards": 1})]
        return [ev.Refused(kind_of(body), "round_void", "the round is void; begin the next one")]

    def _without_round(self, body: AnyBody) -> list[ev.Event]:
        burned = self._procedures.burn(body)
        if burned is not None:
            return burned
        text = f"the table waits: {prompt(self._current.expectation)}"
        if type(body) in (CardOut, StackOut):
            return [ev.Irregularity("card_not_expected", f"a card left the shoe, but {text}")]
        expectation = self._current.expectation
        if type(expectation.wants[0]) is WantBank:
            refusal = judge(expectation, body)
            if refusal is not None:
                return [ev.Refused(kind_of(body), refusal.why, refusal.text)]
        return [ev.Refused(kind_of(body), "not_expected", text)]

    def _begin(self, begun: Round) -> None:
        table, lasting, rules = begun.table, self._lasting, self._rules
        state = lasting.state
        # Others have kept the state before; from here on this round has a `seen` and `counters` of its own.
        lasting.own_seen, lasting.own_counters = {**state.seen}, {**state.counters}
        lasting.change(rounds=state.rounds + 1, seen=lasting.own_seen, counters=lasting.own_counters)
        banker = self._bank.banker
        started = ev.RoundStarted(
            rules.ruleset,
            state.digest,
            table.player_dealer if rules.game.has_player_dealer else None,
            table.button,
            state.drop.dealer,
            *(() if banker is None else (banker.hand, banker.name, banker.firm)),
        )
        table.events[:0] = [started, *self._procedures.round_begins(), *begun.opening]
        if not rules.game.uses_shoe and state.packs.ready is not None:
            table.events[1:1] = self._shoe.take_pack()
            again = lasting.state.packs.comes_again
            if again and not begun.over and rules.game.decks_in_rotation(rules.options) > 1:
                begun.feed(Happening("wrong_deck_colour", facts={"back": again}))
        self._drop.start_clock()

    def close(self, done: Round) -> None:
        """Keep what the round leaves, and prepare the next one."""
        table, lasting, current = done.table, self._lasting, self._current
        void = table.result.void
        if not void:
            table.fee_collection.give_free_collections()
            table.events += table.result.tips_won(table)
            table.emit(table.result.event(table))
        changes, offer = self._bank.hand_over(table, void=void)
        table.events += offer
        if not void:
            self._move_on(table, changes)
        # It refers to the table: without this, every round would leave a reference cycle.
        table.script_state = None
        current.played.close(done)
        current.last = current.played
        fees = table.fees
        if fees.schedule is not None:
            changes["fees_due"] = ledger.added(lasting.state.fees_due, fees.owed)
            changes["fees_carried"] = fees.carry(void=void)
        table.events += self._drop.round_over(fees)
        table.events += self._jackpots.round_over(table, void=void)
        table.events += self._shoe.round_over(table, changes)
        current.prepare()

    def _move_on(self, table: Table, changes: dict[str, Any]) -> None:
        """What a game moves by itself from round to round: the button, blinds, stacks."""
        setup = self._rules.game.next_setup(table)
        if setup is not table.setup:
            changes["setup"] = setup
            table.emit(ev.TableSetTo(setup.seats, setup.player_dealer, setup.button))
