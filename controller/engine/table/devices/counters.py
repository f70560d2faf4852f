"""The counters of the dealing devices at a table: kept, checked with every report, and every difference is published.

A difference is an irregularity with its evidence and the alarm `counters:<device>`. Where a round is prepared or
running, the game's ruling decides about it, else the table is held. A table that is held already stays held as it is:
one cause holds it once.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.inputs import CardOut, Counter, DeviceSeen, Happening, Input, ShoeStarted, StackOut
from controller.engine.shoe.counters import Counters, Difference, follows, reconciled, without_report
from controller.engine.table.current_round import Shared
from controller.engine.table.state import AWAY


class DeviceCounters:
    """What each dealing device has counted; kept in `state.counters`."""

    def __init__(self, shared: Shared, notice: Callable[[Happening], list[ev.Event]]) -> None:
        """`notice`: lets the game's ruling, or the floor, decide about a difference."""
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._notice = notice

    def follows(self, value: Input) -> bool:
        """Whether the counters of a card certainly fit, or there are none to check: for the fast path."""
        counter, known = value.counter, self._lasting.state.counters
        if counter is None:
            return not known or type(value.body) not in (CardOut, StackOut)
        counters = known.get(value.by.removeprefix("device:"))
        return counters is not None and follows(counters, counter)

    def advance(self, value: Input) -> None:
        """Keep the counters of a card that `follows` has found to fit."""
        counter = value.counter
        if counter is not None:
            device = value.by.removeprefix("device:")
            self._put(device, reconciled(self._lasting.state.counters.get(device), counter)[0])

    def keep(self, value: Input) -> list[ev.Event]:
        """Keep the counters that came with an input; returns what follows where they do not fit."""
        counter = value.counter
        if counter is None:
            self._without_counter(value)
            return []
        device = value.by.removeprefix("device:")
        known = self._lasting.state.counters.get(device)
        if counter.left is not None and not counter.is_loaded and counter.out == 0:
            known = self._with_ledger(device, known, counter)
        kept, differences = reconciled(known, counter)
        self._put(device, kept)
        events: list[ev.Event] = []
        for difference in differences:
            events += self.differs(device, difference)
        return events

    def drop(self, device: str) -> None:
        """The device is out of the configuration."""
        counters = self._lasting.state.counters
        if device in counters:
            self._lasting.change(counters={name: kept for name, kept in counters.items() if name != device})

    def _put(self, device: str, counters: Counters) -> None:
        lasting = self._lasting
        if lasting.state.counters is lasting.own_counters:
            lasting.own_counters[device] = counters
            return
        kept = {**lasting.state.counters, device: counters}
        lasting.change(counters=kept)
        if self._current.is_dealing:
            lasting.own_counters = kept

    def _without_counter(self, value: Input) -> None:
        """Cards that no device has numbered came from the one shoe of the table; a shoe that was loaded while it was
        away has another number of cards now."""
        body, counters = value.body, self._lasting.state.counters
        shoes = [name for name in counters if self._is_shoe(name)]
        if len(shoes) != 1 or (value.by.startswith("device:") and type(body) is StackOut):
            return
        (shoe,) = shoes
        known = counters[shoe]
        if type(body) is CardOut:
            self._put(shoe, without_report(known, 1))
        elif type(body) is StackOut:
            self._put(shoe, without_report(known, len(body.cards)))
        elif type(body) is ShoeStarted and self._is_away(shoe):
            self._put(shoe, Counters(known.series, known.number))

    def _with_ledger(self, device: str, known: Counters | None, counter: Counter) -> Counters | None:
        """Cards that must be left in a shoe, before its own count is compared. Between two shoes it may be emptied and
        filled; where the device's count is not known yet, the table's ledger has one."""
        shoe, current = self._lasting.state.shoe, self._current.round
        in_play = self._current.is_dealing or (
            self._rules.game.uses_shoe and shoe is not None and not shoe.is_over and not shoe.unfit
        )
        if known is not None and (known.left is not None or not in_play):
            return known if in_play else Counters(known.series, known.number)
        if not in_play or shoe is None or not self._rules.game.uses_shoe or not self._is_only_shoe(device):
            return known
        pack = self._lasting.state.packs.in_play
        counted = shoe.cards if shoe.cards is not None or pack is None else pack.cards
        if counted is None and counter.left == 0:
            # An empty shoe that is in play: for that the number in the rules is enough.
            counted = self._rules.cards_in_pack
        out = shoe.drawn + (0 if current is None or not current.begun else len(current.table.left))
        if counted is None or counted < out:
            return known
        number = (counter.number or 0) if known is None else known.number
        return Counters(counter.series if known is None else known.series, number, counted - out)

    def differs(self, device: str, difference: Difference) -> list[ev.Event]:
        """What follows from numbers of the device that do not fit."""
        text = f"{device}: {difference.text}"
        facts = {"device": device, **difference.facts}
        events = self._notice(Happening(difference.code, facts=facts))
        return [*events, *self._lasting.alarm(alarms.COUNTERS.of(device), text, facts)]

    def _is_shoe(self, device: str) -> bool:
        found = self._lasting.state.devices.get(device)
        return found is not None and found.facts.get("kind") == "shoe"

    def _is_only_shoe(self, device: str) -> bool:
        others = (name for name in self._lasting.state.devices if name != device)
        return not any(self._is_shoe(name) for name in others)

    def _is_away(self, device: str) -> bool:
        return self._lasting.state.devices[device].state in AWAY


def comes_last(value: Input) -> bool:
    """Whether the counters are checked after the input was applied. Those of a status are, and of the report that the
    shoe is empty, which can hold the table by itself. A card whose number is wrong must not be dealt."""
    body = value.body
    return type(body) is DeviceSeen or (type(body) is Happening and body.code == "shoe_empty")
