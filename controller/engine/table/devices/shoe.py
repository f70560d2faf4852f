"""The table's shoes and packs: loaded, reported shuffled, the cut card, the last card, and the alarms about them.

`engine/shoe` knows what becomes of a shoe or pack; here it is kept and its doubts are raised as alarms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Input, PackReported, ShoeStarted
from controller.engine.round.felt import Table
from controller.engine.shoe import lifecycle
from controller.engine.shoe import packs as pack_lifecycle
from controller.engine.table.current_round import Shared

_NO_SHOE_RUNNING = ev.Irregularity("cut_card_not_expected", "the end of a shoe was reported, but none is running")


class TableShoe:
    """The shoe or the packs of a table."""

    def __init__(self, shared: Shared) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current

    # Shoes

    def started(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is ShoeStarted
        if self._current.is_dealing:
            return [ev.Refused("shoe_started", "round_running", "finish or void the round before a new shoe")]
        lasting, rules = self._lasting, self._rules
        events: list[ev.Event] = []
        old, earlier = lasting.state.shoe, lasting.state.earlier_shoes
        if old is not None:
            if not old.is_over:
                events.append(ev.ShoeEnded(old.number, len(old.history)))
            events += self.end_pack(old.drawn)
            earlier = lifecycle.kept(earlier, old)
        number = 1 if old is None else old.number + 1
        pack = self.take_pack()
        decks = rules.game.decks(rules.options)
        shoe = lifecycle.loaded(number, body.decks, body.cards, decks, lasting.state.packs.in_play)
        lasting.change(shoe=shoe, previous_shoe=old, earlier_shoes=earlier)
        # The shoe that they are about is gone; what was accepted of it is not accepted of the next one.
        names = [kind.of() for kind in alarms.SHOE_DOUBTS.values()]
        names += [alarms.COUNTERS.of(device) for device in lasting.state.counters]
        cleared = [event for name in names for event in lasting.alarm(name, None)]
        events += [ev.ShoeBegan(number, body.decks), *pack]
        if shoe.unfit:
            events.append(ev.Irregularity("wrong_deck_count", shoe.unfit))
        events += [*cleared, *self.doubts()]
        self._current.prepare()
        return events

    def cut_card(self, value: Input) -> list[ev.Event]:
        """The rules decide which hand is the last after the cut card: the running one, the next, or none."""
        shoe = self._lasting.state.shoe
        if shoe is None or shoe.cut_card:
            return [_NO_SHOE_RUNNING]
        hands = self._rules.game.hands_after_cut_card(self._rules.options)
        shoe = lifecycle.cut_card(shoe, self._current.is_dealing, hands)
        self._lasting.change(shoe=shoe)
        events: list[ev.Event] = [ev.CutCardSeen()]
        if self._current.round is not None and not self._current.round.begun:
            if shoe.is_over:
                events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
            self._current.prepare()
        return events

    def empty(self) -> list[ev.Event] | None:
        """The last card left. None: the running round decides what that means."""
        if not self._rules.game.uses_shoe and self._may_be_empty():
            return []
        shoe = self._lasting.state.shoe
        if not self._current.is_dealing:
            return self._end_empty()
        if shoe is not None and not shoe.is_over:
            # Whatever the floor makes of the hand, it is the last one.
            self._lasting.change(shoe=replace(shoe, cut_card=True, hands_left=1))
        return None

    def _may_be_empty(self) -> bool:
        """A deck that serves one round has given its last card, by the rules: no other is wanted, or the discards have
        been shuffled into it."""
        current = self._current.round
        if current is None or not current.begun:
            return True
        cards = current.table.cards
        wants_card = any(type(want) is WantCard for want in current.expectation.wants)
        return cards.is_dealt_out and (cards.stub > 0 or not wants_card)

    def _end_empty(self) -> list[ev.Event]:
        """The last card left between two hands: the shoe is over, and its cards can be counted."""
        lasting = self._lasting
        shoe = lasting.state.shoe
        if shoe is None or shoe.is_over:
            return [_NO_SHOE_RUNNING]
        seen: list[ev.Event] = [] if shoe.cut_card else [ev.CutCardSeen()]
        lasting.change(shoe=lifecycle.emptied(shoe, lasting.state.packs.in_play, self._rules.cards_in_pack))
        events = [*seen, *self.doubts(), ev.ShoeEnded(shoe.number, len(shoe.history))]
        self._current.prepare()
        return events

    def end_foreign(self, slug: str, deck: Mapping[str, int] | None) -> list[ev.Event]:
        """The rules changed. A shoe of another pack, or with another game's history, is over."""
        old, rules = self._lasting.state.shoe, self._rules
        if old is None or (rules.game.slug, rules.deck) == (slug, deck):
            return []
        self._lasting.change(shoe=replace(old, cut_card=True, history=(), out={}, doubts={}), previous_shoe=None)
        self._current.prepare()
        ended = [] if old.cut_card else [ev.ShoeEnded(old.number, len(old.history))]
        return [*ended, *self.doubts()]

    def round_over(self, table: Table, changes: dict[str, Any]) -> list[ev.Event]:
        """A round is over: keep what left the shoe, or the deck, in it, together with its other changes."""
        game, lasting = self._rules.game, self._lasting
        state = lasting.state
        if not game.uses_shoe or state.shoe is None:
            lasting.change(**changes)
            return [] if game.uses_shoe else self.end_pack(len(table.left), void=table.result.void)
        shoe = lifecycle.dealt(
            state.shoe,
            table.left,
            None if table.result.void else game.history_entry(table.result),
            out=table.out,
            round=state.rounds,
            deck=self._rules.deck,
            earlier=state.earlier_shoes,
            pack=state.packs.in_play,
        )
        lasting.change(shoe=replace(shoe, asked_burns=shoe.asked_burns + table.asked_burns), **changes)
        events = self.doubts()
        if shoe.is_over:
            events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
        return events

    def doubts(self) -> list[ev.Event]:
        """The doubts about the shoe in play are alarms, with their evidence, until it is gone or corrected, or the
        floor has accepted what was found. A game without a shoe has none in play."""
        state = self._lasting.state
        doubts = state.shoe.doubts if self._rules.game.uses_shoe and state.shoe is not None else {}
        if not (doubts or state.alarms or state.accepted):
            return []
        events: list[ev.Event] = []
        for name, kind in alarms.SHOE_DOUBTS.items():
            if name not in doubts:
                events += self._lasting.alarm(kind.of(), None)
        for name, doubt in doubts.items():
            events += self._lasting.alarm(alarms.SHOE_DOUBTS[name].of(), doubt.text, doubt.facts)
        return events

    # Packs

    def pack_reported(self, value: Input) -> list[ev.Event]:
        """A pack is shuffled and counted, or unfit. One that is declared for a shoe loaded before belongs to it."""
        body, lasting = value.body, self._lasting
        assert type(body) is PackReported
        packs, events = pack_lifecycle.reported(lasting.state.packs, body, value.by, self._rules.cards_in_pack)
        lasting.change(packs=packs)
        if body.device:
            text = events[0].text if isinstance(events[0], ev.PackUnfit) else None
            events += lasting.alarm(alarms.DECK.of(body.device), text)
            if text is None:
                events += lasting.alarm(alarms.COUNTERS.of(body.device), None)
        shoe = lasting.state.shoe
        if self._rules.game.uses_shoe and shoe is not None and not shoe.drawn and packs.in_play is None and packs.ready:
            events += self.take_pack()
            lasting.change(shoe=lifecycle.filled_with(shoe, packs.ready))
            events += self.doubts()
        if not self._current.is_dealing:
            self._current.prepare()
        return events

    def device_changed(self, device: str, state: str) -> list[ev.Event]:
        """A device that held a pack is gone or back: the pack may be unfit."""
        packs, unfit = pack_lifecycle.disturbed(self._lasting.state.packs, device, state)
        if unfit:
            self._lasting.change(packs=packs)
            if not self._current.is_dealing:
                self._current.prepare()
        return unfit

    def take_pack(self) -> list[ev.Event]:
        """The pack that is ready goes into play."""
        packs, events = pack_lifecycle.taken(self._lasting.state.packs)
        self._lasting.change(packs=packs)
        return events

    def end_pack(self, out: int, *, void: bool = False) -> list[ev.Event]:
        """The pack in play is out of play, after this number of cards."""
        state = self._lasting.state
        cards = self._rules.cards_in_pack
        packs, ledger, events = pack_lifecycle.ended(state.packs, state.ledger, out, cards, void=void)
        if events:
            self._lasting.change(packs=packs, ledger=ledger)
        return events
