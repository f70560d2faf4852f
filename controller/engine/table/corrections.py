"""Corrections: the running or the last round is run again from its amended inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.expect.want import Refusal
from controller.engine.fees import ledger
from controller.engine.inputs import (
    Act,
    Amended,
    BankPosted,
    BetsClosed,
    CardOut,
    Change,
    CutCardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    Happening,
    Input,
    Noted,
    Revealed,
    StackOut,
    WagerPlaced,
    decode_body,
    encode_input,
    kind_of,
)
from controller.engine.reading import Unreadable
from controller.engine.shoe import lifecycle
from controller.engine.slip_inputs import TakenBack
from controller.engine.table.card_inputs import CardInputs
from controller.engine.table.current_round import CurrentRound, Shared
from controller.engine.table.devices.drop import TableDrop
from controller.engine.table.devices.shoe import TableShoe
from controller.engine.table.jackpots import TableJackpots
from controller.engine.table.lasting import Lasting
from controller.engine.table.slips import not_to_be_taken_back, slip_of
from controller.engine.table.state import BESIDE_THE_ROUND, TableState


class Rerun(Protocol):
    """A table of its own, on which a round is run again."""

    lasting: Lasting
    current: CurrentRound[Any]

    def apply(self, value: Input) -> list[ev.Event]: ...


class Corrections:
    """Previews and applies amendments of one table."""

    def __init__(
        self,
        shared: Shared,
        shoe: TableShoe,
        drop: TableDrop,
        *,
        jackpots: TableJackpots,
        begin_again: Callable[[TableState], Rerun],
    ) -> None:
        """`begin_again` makes a table with the same rules and this state."""
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._shoe, self._drop, self._begin_again = shoe, drop, begin_again
        self._jackpots = jackpots

    def preview(self, body: Amended) -> dict[str, Any] | Refusal:
        """What an amendment would change, field by field as [before, after]; nothing is changed yet.

        Beside the result: what the table would wait for (`next`), and what is in the middle (`table`). Where a card
        that is face down would be turned up, only that is answered: looking must not name it. While any is face down,
        a preview that names a card is not answered either: a guess would be, since no card is there twice.
        """
        if self._is_guess(body):
            return dict(_NOT_LOOKED_AT)
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return rerun
        if self._would_turn_up(body):
            return dict(_TURNED_UP)
        return _differences(self._visible(self._current), self._visible(rerun.current))

    def _visible(self, current: CurrentRound[Any]) -> dict[str, Any]:
        """The public result, and while a round runs what a person at the table sees of it."""
        seen = dict(current.public_result)
        if current.is_dealing and current.round is not None:
            seen["next"] = prompt(current.expectation)
            seen["table"] = list(self._rules.game.middle(current.round.table).lines())
        return seen

    def amended(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Amended
        weighed = ev.CorrectionWeighed(body.round, tuple(change.index for change in body.changes), value.by)
        if body.preview and self._is_guess(body):
            return [weighed]
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return [ev.Refused("amend", rerun.why, rerun.text)]
        if body.preview:
            return [weighed]
        return self._take_over(rerun, ev.Corrected(body.round, body.reason, value.by, self._changed(rerun)))

    def taken_back(self, value: Input) -> list[ev.Event]:
        """A dealer's last slip, while nothing has followed it: the round is run again without it."""
        body = value.body
        assert type(body) is TakenBack
        rerun = self._without(body, value.by)
        if isinstance(rerun, Refusal):
            return [ev.Refused("take_back", rerun.why, rerun.text)]
        return self._take_over(rerun, ev.Corrected(body.round, "taken back", value.by, self._changed(rerun)))

    def _without(self, body: TakenBack, by: str) -> Rerun | Refusal:
        """The round without the slip, or why it stays."""
        current, played = self._current, self._current.played
        if not current.is_dealing or body.round != self._lasting.state.rounds:
            return Refusal("round_over", "the round is over; the floor corrects it")
        refusal = not_to_be_taken_back(played.inputs, body.first, by)
        if refusal is not None:
            return refusal
        changes = tuple(Change(index, None) for index in slip_of(played.inputs, body.first))
        rerun = self._rerun(Amended(body.round, changes, ""))
        if isinstance(rerun, Refusal):
            if rerun.why == "round_would_vanish":
                return Refusal("round_would_vanish", "the round began with it; the floor may void the round")
            return rerun
        kept = list(played.inputs[: body.first])
        if sum(self._exposed(played.began, list(played.inputs))) > sum(self._exposed(played.began, kept)):
            return Refusal("card_exposed", "a card was exposed by it; the floor corrects it")
        if current.public_result.get("lines") != rerun.current.public_result.get("lines"):
            return Refusal("money_settled", "money was settled by it; the floor corrects it")
        return rerun

    def _changed(self, rerun: Rerun) -> dict[str, Any]:
        return _differences(self._current.public_result, rerun.current.public_result)

    def _take_over(self, rerun: Rerun, corrected: ev.Corrected) -> list[ev.Event]:
        """The table goes on from where the re-run has come to."""
        lasting, current = self._lasting, self._current
        was_over, owed = not current.is_dealing, current.charges
        jackpots = rerun.lasting.state.jackpots
        lasting.state = replace(rerun.lasting.state, jackpots=lasting.state.jackpots)
        current.round, current.played, current.last = rerun.current.round, rerun.current.played, rerun.current.last
        lines = ledger.corrected(self._rules.schedule, owed, current.charges)
        dropped = self._drop.round_corrected(corrected.round, was_over=was_over)
        meters = self._jackpots.round_corrected(corrected.round, jackpots)
        return [corrected, *lines, *self._shoe.doubts(), *dropped, *meters]

    def _would_turn_up(self, body: Amended) -> bool:
        """Whether a card of an input that is not amended is face down now and would be face up."""
        played = self._current.played if self._current.is_dealing else self._current.last
        assert played is not None
        changed = {change.index: change for change in body.changes}
        amended = [
            _as_amended(value, changed[index]) if index in changed else value
            for index, value in enumerate(played.inputs)
        ]
        now, then = self._exposed(played.began, list(played.inputs)), self._exposed(played.began, amended)
        return any(then[index] > now[index] for index in range(len(now)) if index not in changed)

    def _is_guess(self, body: Amended) -> bool:
        """Whether what it would change could answer which card is face down."""
        return self._names_a_card(body) and self._hides_a_card()

    def _names_a_card(self, body: Amended) -> bool:
        """Whether a card is put where none, or another one, was."""
        played = self._current.played if self._current.is_dealing else self._current.last
        inputs = [] if played is None else played.inputs
        for change in body.changes:
            if change.body is None or not 0 <= change.index < len(inputs):
                continue
            amended = _as_amended(inputs[change.index], change)
            if isinstance(amended, Input):
                was, would_be = (encode_input(value) for value in (inputs[change.index], amended))
                names = (f'"{code}'.encode() for code in self._rules.deck or ())
                if any(would_be.count(name) > was.count(name) for name in names):
                    return True
        return False

    def _hides_a_card(self) -> bool:
        """Whether a card of this round is known to the table and face down."""
        played = self._current.played if self._current.is_dealing else self._current.last
        assert played is not None
        cards = self._followed(played.began, played.inputs)
        return any(slot.face_if_exposed is None for slots in cards.slots for slot in slots)

    def _exposed(self, began: TableState, inputs: Sequence[Input | Refusal | None]) -> list[int]:
        """How many cards of each input are face up after all of them."""
        return self._followed(began, inputs).exposed()

    def _followed(self, began: TableState, inputs: Sequence[Input | Refusal | None]) -> CardInputs:
        """The cards of each input, after all of them."""
        table, cards = self._begin_again(began), CardInputs()
        for value in inputs:
            before = table.current.round
            if isinstance(value, Input):
                table.apply(value)
            cards.follow(before, table.current.round)
        return cards

    def _rerun(self, body: Amended) -> Rerun | Refusal:
        """This table, with one round run again from its amended inputs."""
        state, current = self._lasting.state, self._current
        played = current.played if current.is_dealing else current.last
        if played is None or body.round != state.rounds:
            return Refusal("round_not_amendable", "only the running round or, before the next begins, the last one")
        inputs: list[Input | None] = list(played.inputs)
        changed: set[int] = set()
        for change in body.changes:
            index = change.index
            if not 0 <= index < len(inputs):
                return Refusal("no_such_input", f"round {body.round} has inputs 0 to {len(inputs) - 1}")
            if index in changed:
                return Refusal("amended_twice", f"input {index}: say once how it should have been")
            changed.add(index)
            amended = _as_amended(played.inputs[index], change)
            if isinstance(amended, Refusal):
                return amended
            inputs[index] = amended
        rerun = self._begin_again(played.began)
        for index, value in enumerate(inputs):
            if value is None:
                continue
            caused = rerun.apply(value)
            refusal = _refusal_in(caused) if index in changed else None
            if refusal is not None:
                return Refusal(refusal.why, f"input {index}: {refusal.text}")
            if rerun.lasting.state.rounds > state.rounds:
                text = f"the round would be over before input {index}, which would begin another; strike that out too"
                return Refusal("round_would_split", text)
        rerun.lasting.change(**{name: getattr(state, name) for name in BESIDE_THE_ROUND})
        if not current.is_dealing and state.shoe is not None and state.shoe.since_hand:
            self._burn_again(rerun, state.shoe.since_hand)
        if self._rules.rotation is not None and not current.is_dealing:
            self._keep_bank(rerun, was_void=bool(current.public_result.get("void")))
        if not rerun.current.is_dealing:
            rerun.current.prepare()
        if rerun.lasting.state.rounds < state.rounds:
            return Refusal("round_would_vanish", "nothing would be left of the round; void it instead")
        return rerun

    def _burn_again(self, rerun: Rerun, codes: Sequence[str | None]) -> None:
        """What was burned after the round has left the shoe all the same."""
        state, deck = rerun.lasting.state, self._rules.deck
        shoe = state.shoe
        for code in codes if shoe is not None else ():
            assert shoe is not None
            shoe = lifecycle.burned(shoe, code, round=state.rounds, deck=deck, earlier=state.earlier_shoes)
        rerun.lasting.change(shoe=shoe)

    def _keep_bank(self, rerun: Rerun, *, was_void: bool) -> None:
        """Who took the player-dealer's position after the round keeps it. The hand counts anew only where it became
        void, or is no longer."""
        state, setup = self._lasting.state, rerun.lasting.state.setup
        kept = replace(setup, seats=state.setup.seats, player_dealer=state.setup.player_dealer)
        rerun.lasting.change(setup=kept)
        if bool(rerun.current.public_result.get("void")) == was_void:
            rerun.lasting.change(turns=state.turns)


_OF_A_ROUND = (
    CardOut,
    StackOut,
    WagerPlaced,
    BankPosted,
    BetsClosed,
    FeesIn,
    Act,
    DiceRolled,
    Revealed,
    Happening,
    FloorAct,
    CutCardOut,
)
"""What an amendment may put in an input's place. Other inputs are not of a round: the house's, the board's, a
device's."""
_NOT_IN_THE_DECK = ("no_such_card", "foreign_card")
_TURNED_UP = {"cards": ["face down", "turned up; what else changes is shown when the correction is made"]}
"""The answer to a preview that would name a face-down card."""
_NOT_LOOKED_AT = {
    "cards": ["some are face down", "what a card in another's place changes is shown when the correction is made"]
}
"""The answer to a preview that could be a guess at a face-down card."""


def _as_amended(value: Input, change: Change) -> Input | Refusal | None:
    """An input as it should have been; None: it should not have been."""
    if change.body is None:
        # A device has numbered it all the same: left out, it would seem to be lost.
        return None if value.ref is None else replace(value, body=Noted(value.by.removeprefix("device:"), "struck_out"))
    try:
        body = decode_body(change.body)
    except Unreadable as error:
        return Refusal("bad_input", f"input {change.index}: {error}")
    if type(body) not in _OF_A_ROUND:
        return Refusal("not_of_a_round", f"input {change.index}: {kind_of(body)} is nothing that happens in a round")
    return replace(value, body=body)


def _refusal_in(caused: list[ev.Event]) -> Refusal | None:
    """Why what somebody puts in an input's place cannot have happened there, where the table refuses it."""
    for event in caused:
        if type(event) is ev.Refused:
            return Refusal(event.why, event.text)
        if type(event) is ev.Irregularity and event.code in _NOT_IN_THE_DECK:
            return Refusal(event.code, event.text)
    return None


def _differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return {key: [before.get(key), after.get(key)] for key in keys}
