"""The order of the deal, the decisions and the settlement in words, from what was seen when the game was played."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.wagers import WagerRule
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.play import Dealt, Decides, Happens, Play, PlayedRound, Step
from controller.packet.values import words


def owner(name: str) -> str:
    """Whose a hand is, a betting spot of a seat by its number.

    >>> owner("player_dealer"), owner("3"), owner("3.2"), owner("board")
    ('player-dealer', 'seat 3', 'seat 3, spot 2', 'the community cards')
    """
    seat, _, spot = name.partition(".")
    if seat.isdigit():
        return f"seat {seat}, spot {spot}" if spot else f"seat {seat}"
    if "/" in seat:
        seat, _, hand = seat.partition("/")
        return f"seat {seat}, hand {hand}"
    return {"board": "the community cards"}.get(name, words(name))


def table_said(play: Play) -> str:
    """Who is at the table of the example."""
    seats = play.seats
    bank = (
        f", the player-dealer in seat {play.player_dealer}"
        if play.has_player_dealer
        else f", the button in seat {play.button}"
    )
    return f"A round as the program deals it, players in seats {', '.join(map(str, seats))}{bank}."


def deal_order(play: Play) -> list[Block]:
    example = play.example
    if example is None:
        return []
    rows = tuple((str(n), text) for n, text in enumerate(_steps(example.steps), start=1))
    return [Paragraph(table_said(play)), Grid("Order of the deal", ("", ""), rows)]


def _steps(steps: Sequence[Step]) -> Iterator[str]:
    for _, found in groupby(steps, key=_alike):
        alike = list(found)
        match alike[0]:
            case Dealt():
                yield from _dealt([step for step in alike if isinstance(step, Dealt)])
            case Decides():
                who = ", ".join(dict.fromkeys(owner(str(step.place)) for step in alike if isinstance(step, Decides)))
                names = dict.fromkeys(do for step in alike if isinstance(step, Decides) for do in step.choices)
                yield f"{who}: {', '.join(map(words, names))}"
            case Happens() as first:
                yield _happens(first.what, [step.who for step in alike if isinstance(step, Happens)])


def _alike(step: Step) -> object:
    match step:
        case Dealt():
            return "dealt", step.count, step.face_up, step.turned_up, step.to == "burn"
        case Decides():
            return "decides", step.choices
    return step.what


def _dealt(steps: Sequence[Dealt]) -> Iterator[str]:
    first = steps[0]
    face = "face up" if first.face_up else "face down"
    if first.to == "burn":
        yield f"{'a card is' if len(steps) == 1 else f'{len(steps)} cards are'} burned, {face}"
        return
    what = f"one {first.piece}" if first.count == 1 else f"{first.count} {first.piece}s"
    owners = [owner(step.to) for step in steps]
    turn = _cycle(owners)
    times, rest = divmod(len(owners), len(turn))
    again = f", {times} times round" if times > 1 else ""
    if rest:
        again = f", and so on: {len(owners)} {first.piece}s"
    each = " each" if len(turn) > 1 else ""
    if first.turned_up:
        face = f"{face}, {first.turned_up} of them turned up"
    yield f"{what}{each}, {face}, to {', '.join(turn)}{again}"


def _cycle(owners: Sequence[str]) -> Sequence[str]:
    """The shortest part that, repeated at least once, is the whole; the last time it may be cut short."""
    for size in range(1, len(owners) // 2 + 1):
        if all(owners[n] == owners[n % size] for n in range(len(owners))):
            return owners[:size]
    return owners


def _happens(what: str, who: Sequence[str]) -> str:
    names = ", ".join(dict.fromkeys(who if what in ("dice", "stage") else map(owner, who)))
    match what:
        case "dice":
            return f"{names} dice are thrown and read"
        case "stage":
            return f"stage: {words(names)}"
        case "action button":
            return f"the action button goes to {names}"
        case "pile":
            return f"the piles go, in order, to {names}"
        case "shown":
            return f"turned up: {names}"
        case "set":
            return f"set and shown: {names}"
        case "bets closed":
            return "no more bets"
    return f"{words(what)} {names}".strip()


# Wagers


def wagers(rules: Sequence[WagerRule]) -> list[Block]:
    """What may be placed before the deal, with its limits."""
    if not rules:
        return []
    rows = tuple(
        (words(rule.id), rule.title or words(rule.id), _limits(rule), "; ".join(_conditions(rule, rules)))
        for rule in rules
    )
    return [Grid("Wagers before the deal", ("wager", "on the layout", "limits", "conditions"), rows)]


def _limits(rule: WagerRule) -> str:
    least = (
        f"from {dollars(rule.min)}" if rule.min else "no minimum" if rule.any_minimum else "from the table's minimum"
    )
    most = f"to {dollars(rule.max)}" if rule.max is not None and rule.max < 2**61 else "to the table's maximum"
    return f"{least} {most}"


def _conditions(rule: WagerRule, rules: Sequence[WagerRule]) -> Iterator[str]:
    partners = [words(other.id) for other in rules if other.equals == rule.id and not other.needs]
    if partners:
        yield f"with {' and '.join(partners)}, else no hand is dealt"
    elif not rule.needs and rule.equals is None and rule.seats != ():
        yield "may be placed by itself"
    if rule.needs:
        join = " and " if rule.needs_all else " or "
        yield f"needs {join.join(map(words, rule.needs))} on the same place"
    if rule.equals is not None:
        yield f"equal to {words(rule.equals)}"
    if rule.at_most is not None:
        yield f"not above {words(rule.at_most)}"
    if rule.once is not None:
        yield "one on a place"
    if rule.step > 1:
        off = f", or {' or '.join(map(dollars, rule.off_step))}" if rule.off_step else ""
        yield f"in steps of {dollars(rule.step)}{off}"
    if rule.position_max is not None:
        yield f"at most {dollars(rule.position_max)} on a position in all"
    if rule.same_on_seat is not None:
        yield "all who share a square bet the same"
    if rule.seats == ():
        yield f"not open: {words(rule.seats_code)}"
    if rule.counts_as != "base":
        yield f"counts as {words(rule.counts_as)} in the collection"


def back_line(rules: Sequence[WagerRule]) -> list[Block]:
    """Which wagers a second bettor may place on a seat."""
    if not rules:
        return []

    def said(rule: WagerRule) -> str:
        if rule.first_spot_only is not None or rule.spots == 1:
            return "no: only the seat's own"
        return f"yes, {rule.spots} betting spots a seat" if rule.spots is not None else "yes, the number is not limited"

    rows = tuple((words(rule.id), said(rule)) for rule in rules)
    return [Grid("Further betting spots of a seat", ("wager", "taken behind or beside the seat"), rows)]


# Decisions


def decisions(play: Play) -> list[Block]:
    """Everything that a seat was offered, by the stage of the round."""
    rows = []
    for offered in play.decisions.values():
        bounds = []
        if offered.amounts or len(offered.shares) > 1:
            bounds.append("an amount within its bounds")
        elif offered.shares:
            bounds.append(_share(*offered.shares))
        if offered.cards is not None:
            least, most = offered.cards
            bounds.append(f"{least} cards" if least == most else f"{least} to {most} cards")
        if offered.piles:
            bounds.append(f"one of {offered.piles} piles")
        by = ", ".join(words(who) for who in offered.by)
        rows.append((words(offered.stage) or "first cards", words(offered.do), "; ".join(bounds), by))
    if not rows:
        return []
    columns = ("stage", "a seat may", "it names", "may be decided for it by")
    return [Grid("Decisions that the table asks for", columns, tuple(rows))]


def _share(share: Fraction) -> str:
    """
    >>> _share(Fraction(1)), _share(Fraction(2))
    ("exactly the seat's first wager", "exactly 2 times the seat's first wager")
    >>> _share(Fraction(1, 2))
    "exactly half of the seat's first wager"
    """
    times = "half of " if share == Fraction(1, 2) else "" if share == 1 else f"{share} times "
    return f"exactly {times}the seat's first wager"


# Settlement


def settlement_order(play: Play, shown: Collection[str] = ()) -> list[Block]:
    """`shown`: the wagers of which a table says what becomes of them in each situation."""
    example = play.fullest
    if example is None:
        return []
    if example.lines:
        seen = tuple(row for row in _outcomes(play) if row[0] not in shown)
        blocks: list[Block] = [
            Paragraph(
                f"In a round at that table the wagers were settled{_pointed(example)} in this order, each as far as "
                "the player-dealer's money covers it."
            ),
            Grid("Order of settlement", ("", "place", "wager"), tuple(_lines(example.lines))),
        ]
        if seen:
            title = f"What became of {'other wagers' if shown else 'each wager'}, in the rounds that were played"
            blocks.append(Grid(title, ("wager", ""), seen))
        return blocks
    pots = tuple(
        (
            str(n),
            f"{dollars(pot.cents)} between {len(pot.seats)} players",
            ", ".join(f"seat {seat} {dollars(cents)}" for seat, cents in pot.to.items()),
        )
        for n, pot in enumerate(example.pots, start=1)
    )
    if not pots:
        return []
    return [Grid("The pots of a round at that table", ("", "pot", "to"), pots)]


def _outcomes(play: Play) -> tuple[tuple[str, str], ...]:
    """Whether a wager is paid, lost or goes back: each that was seen where the player-dealer covered it."""
    seen: dict[str, set[str]] = {}
    for line in (line for one in play.rounds for line in one.lines if not line.uncovered):
        moved = "is paid" if line.net > 0 else "is lost" if line.net < 0 else "goes back"
        seen.setdefault(line.wager, set()).add(moved)
    kinds = ("is paid", "is lost", "goes back")
    return tuple((words(wager), ", ".join(kind for kind in kinds if kind in moved)) for wager, moved in seen.items())


def _pointed(example: PlayedRound) -> str:
    found = [owner(step.who) for step in example.steps if isinstance(step, Happens) and step.what == "action button"]
    return f", from the action button at {found[-1]}," if found else ""


def _lines(lines: Sequence[ev.Line]) -> Iterator[tuple[str, str, str]]:
    for n, line in enumerate(lines, start=1):
        yield str(n), owner(str(line.place)), words(line.wager)
