"""The table's shoes and packs: loaded, reported shuffled, the cut card, the last card, and the alarms about them.

`shoe_life` and `packs` know their lives; here they are asked and what they doubt is raised.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.inputs import (
    Input,
    PackReported,
    ShoeStarted,
)
from controller.engine.round.game import OptionsT
from controller.engine.shoe import lifecycle
from controller.engine.shoe import packs as pack_life
from controller.engine.table.drop_room import DropRoom

NO_SHOE_RUNNING = ev.Irregularity("cut_card_not_expected", "the end of a shoe was reported, but none is running")


class ShoeRoom(DropRoom[OptionsT]):
    """A table with a shoe or packs."""

    def _shoe_started(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is ShoeStarted
        if self.is_dealing:
            return [ev.Refused("shoe_started", "round_running", "finish or void the round before a new shoe")]
        events: list[ev.Event] = []
        old, earlier = self.state.shoe, self.state.earlier_shoes
        if old is not None:
            if not old.is_over:
                events.append(ev.ShoeEnded(old.number, len(old.history)))
            events += self._pack_ended(old.drawn)
            earlier = lifecycle.kept(earlier, old)
        number = 1 if old is None else old.number + 1
        told = self._pack_in_play()
        shoe = lifecycle.loaded(number, body.decks, body.cards, self.game.decks(self.options), self.state.packs.in_play)
        self.state = replace(self.state, shoe=shoe, previous_shoe=old, earlier_shoes=earlier)
        cleared = self._clear_shoe_alarms()
        events += [ev.ShoeBegan(number, body.decks), *told]
        if shoe.unfit:
            events.append(ev.Irregularity("wrong_deck_count", shoe.unfit))
        events += [*cleared, *self._shoe_alarms()]
        self._next_round()
        return events

    def _cut_card(self, value: Input) -> list[ev.Event]:
        """Which hand is the last after the cut card, the rules say: the running one, the next, or none more."""
        shoe = self.state.shoe
        if shoe is None or shoe.cut_card:
            return [NO_SHOE_RUNNING]
        shoe = lifecycle.cut_card(shoe, self.is_dealing, self.game.hands_after_cut_card(self.options))
        self._change(shoe=shoe)
        events: list[ev.Event] = [ev.CutCardSeen()]
        if self.round is not None and not self.round.begun:
            if shoe.is_over:
                events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
            self._next_round()
        return events

    def _shoe_empty(self) -> list[ev.Event]:
        """The last card left between two hands: the shoe is over, and its cards can be counted."""
        shoe = self.state.shoe
        if shoe is None or shoe.is_over:
            return [NO_SHOE_RUNNING]
        told: list[ev.Event] = [] if shoe.cut_card else [ev.CutCardSeen()]
        self._change(shoe=lifecycle.emptied(shoe, self.state.packs.in_play, self._cards_in_pack))
        events = [*told, *self._shoe_alarms(), ev.ShoeEnded(shoe.number, len(shoe.history))]
        self._next_round()
        return events

    def _pack_reported(self, value: Input) -> list[ev.Event]:
        """A pack is shuffled and counted, or unfit. One that is declared for a shoe loaded before belongs to it."""
        body = value.body
        assert type(body) is PackReported
        packs, events = pack_life.reported(self.state.packs, body, value.by, self._cards_in_pack)
        self._change(packs=packs)
        if body.device:
            text = events[0].text if isinstance(events[0], ev.PackUnfit) else None
            events += self._alarm(alarms.DECK.of(body.device), text)
        shoe = self.state.shoe
        if self.game.uses_shoe and shoe is not None and not shoe.drawn and packs.in_play is None and packs.ready:
            events += self._pack_in_play()
            self._change(shoe=lifecycle.filled_with(shoe, packs.ready))
            events += self._shoe_alarms()
        if not self.is_dealing:
            self._next_round()
        return events

    def _pack_in_play(self) -> list[ev.Event]:
        packs, events = pack_life.taken(self.state.packs)
        self._change(packs=packs)
        return events

    def _pack_ended(self, out: int, *, void: bool = False) -> list[ev.Event]:
        state = self.state
        packs, ledger, events = pack_life.ended(state.packs, state.ledger, out, self._cards_in_pack, void=void)
        if events:
            self._change(packs=packs, ledger=ledger)
        return events

    def _clear_shoe_alarms(self) -> list[ev.Event]:
        """The shoe that they are about is gone; what was accepted of it is not accepted of the next one."""
        return [event for kind in alarms.SHOE_DOUBTS.values() for event in self._alarm(kind.of(), None)]

    def _shoe_alarms(self) -> list[ev.Event]:
        """The doubts about the shoe in play are alarms, with their evidence, until it is gone or corrected, or the
        floor has accepted what was found. A game without a shoe has none in play."""
        state = self.state
        doubts = state.shoe.doubts if self.game.uses_shoe and state.shoe is not None else {}
        if not (doubts or state.alarms or state.accepted):
            return []
        events: list[ev.Event] = []
        for name, kind in alarms.SHOE_DOUBTS.items():
            if name not in doubts:
                events += self._alarm(kind.of(), None)
        for name, doubt in doubts.items():
            events += self._alarm(alarms.SHOE_DOUBTS[name].of(), doubt.text, doubt.facts)
        return events
