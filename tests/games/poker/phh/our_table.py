"""A history dealt at our table: what it comes to, or where the table says no.

    python -m tests.games.poker.phh.our_table FOLDER [--most N]

replays every history of a game that we deal below a folder of public ones, and says how many came to the recorded
result, why the others did not, and what a history that differs contradicts itself in.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.engine import events as ev
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.games.poker.phh import stud
from tests.games.poker.phh.contradictions import contradiction, is_rake
from tests.games.poker.phh.convert import OURS, blinds, dealt_as, inputs
from tests.games.poker.phh.draw import DrawTable
from tests.games.poker.phh.history import History, StacksUnknown, documents, history_of
from tests.games.poker.phh.stud import StudTable


class Differs(Exception):
    """Our table does not deal the hand as it is recorded, or comes to another result; the text says what differs."""


def new_table(hand: History) -> TableEngine[Any]:
    """A table with the rules that a history of this game is dealt by."""
    ours = dealt_as(hand)
    rules = load(ours.ruleset)
    return TableEngine(rules.game, rules.options(ours.options), TableState(Setup()), ours.ruleset)


def listened(hand: History) -> StudTable | DrawTable:
    """A table for a game without a board."""
    return StudTable(hand) if hand.variant in stud.OPTIONS else DrawTable(hand)


def result(hand: History) -> dict[str, Any]:
    """The result document; nothing may be refused on the way."""
    engine = new_table(hand)
    for value in inputs(hand):
        for event in engine.apply(value):
            if isinstance(event, ev.Refused):
                raise Differs(f"refused: {event.why}")
            if isinstance(event, ev.Held | ev.Irregularity):
                raise Differs(f"held: {event.code}")
    if engine.last is None:
        raise Differs("the history ends before the hand does")
    return engine.last.document


def finishing_stacks(hand: History) -> list[int]:
    if hand.variant not in OURS:
        return listened(hand).finishing_stacks()
    net = result(hand)["net"]
    return [stack + net[seat] for seat, stack in enumerate(hand.starting_stacks, start=1)]


def compare(hand: History) -> None:
    """`Differs` where our table does not come to what the history records.

    A site that takes a rake out of the pots pays the winners less, and nobody else; some count a bet that was not
    called among what its owner was paid.
    """
    document = result(hand)
    won = Counter[int]()
    for pot in document["pots"]:
        won.update({int(seat): cents for seat, cents in pot["to"].items() if cents})
    if any(hand.winnings):
        paid = {seat: cents for seat, cents in enumerate(hand.winnings, start=1) if cents}
        back = Counter({int(seat): cents for seat, cents in document["returned"].items()})
        try:
            _agree_but_for_rake(won, paid)
        except Differs:
            _agree_but_for_rake(won + back, paid)
    elif hand.finishing_stacks:
        net = document["net"]
        ours = [stack + net[seat] for seat, stack in enumerate(hand.starting_stacks, start=1)]
        short = {seat: a - b for seat, (a, b) in enumerate(zip(ours, hand.finishing_stacks, strict=True), start=1)}
        _agree_but_for_rake(won, {seat: won[seat] - less for seat, less in short.items() if won[seat] or less})


def _agree_but_for_rake(won: Mapping[int, int], paid: Mapping[int, int]) -> None:
    if {seat for seat, cents in won.items() if cents} != {seat for seat, cents in paid.items() if cents}:
        raise Differs("other winners")
    if not is_rake(sum(won.values()), sum(paid.values())):
        raise Differs("another pot was paid out")


def histories(folder: Path) -> Iterator[History | str]:
    """Every hand below a folder of a game that we deal, or why it cannot be dealt."""
    for path in sorted(folder.rglob("*.phh*")):
        for document in documents(path):
            if document["variant"] not in OURS:
                yield f"another game: {document['variant']}"
                continue
            try:
                hand = history_of(document)
            except StacksUnknown:
                yield "stacks not recorded"
                continue
            if _posts_out_of_position(hand):
                yield "a blind posted out of its position"
            else:
                yield hand


def _posts_out_of_position(hand: History) -> bool:
    """By a player who came in or came back; PHH writes dead money as less than zero. Of two players both post."""
    return min(blinds(hand)) < 0 or (any(blinds(hand)[2:]) if hand.players > 2 else 0 in blinds(hand))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.games.poker.phh.our_table", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000)
    chosen = parser.parse_args(arguments)
    agreed, differed, passed_over = Counter[str](), Counter[str](), Counter[str]()
    for hand in histories(chosen.folder):
        if isinstance(hand, str):
            passed_over[hand] += 1
            continue
        name = hand.variant + (", hidden cards" if hand.hides_cards else "")
        try:
            compare(hand)
            agreed[name + ("" if hand.has_result else ", no result recorded")] += 1
        except Differs as why:
            fault = contradiction(hand)
            differed[f"{name}: {why}" + (f": the history contradicts itself: {fault}" if fault else "")] += 1
        if agreed.total() + differed.total() >= chosen.most:
            break
    for title, counted in (("as recorded", agreed), ("differs", differed), ("passed over", passed_over)):
        for what, count in counted.most_common():
            print(f"{count:9} {title}: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
