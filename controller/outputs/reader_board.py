"""What the LED reader board shows, computed from the document of the screens: nothing that they may not show.

Fields as the sheet lists them (bankers-ez-baccarat-panda-8, Equipment): results, counts and percentages of the shoe and
of the one before, table limits, bet timer. A line is written for 24 columns; a narrower sign cuts it.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.games.baccarat.roads import DRAGON_7, PANDA_8, Bead
from controller.outputs.view_types import HandView, LimitsView, ShoeView, SideTally, Tally, View
from devices.drivers.reader_board.content import BoardContent, SignLine, Span, line
from protocols.alpha.codes import Colour

COLOURS = {"banker": Colour.RED, "dealer": Colour.RED, "player": Colour.GREEN, "tie": Colour.AMBER}
"""Signs of three colours have no blue, the Player's colour on the roads."""
_LETTERS = {DRAGON_7: "D", PANDA_8: "8"}
"""The letter of a mark in the history, where it is not the first letter of its title."""
MARK_COLOUR = Colour.YELLOW
LONGEST_PROMPT = 24


def board_content(view: View) -> BoardContent:
    """The board for this view."""
    shoe, before = view.shoe, view.previous_shoe
    return BoardContent(
        results=_panel(view, [_last(view)] + ([] if shoe is None else [_history(shoe)])),
        table=_panel(view, [line(_status(view)), *_posted(view)]),
        statistics=_panel(view, [] if shoe is None else _statistics(shoe, "HANDS")),
        previous=_panel(view, [] if before is None else _statistics(before, "LAST SHOE")),
        notice=_notice(view),
    )


def _panel(view: View, lines: list[SignLine]) -> tuple[SignLine, ...]:
    """A table in test mode has TEST on every panel."""
    if view.test and lines:
        first = lines[0]
        return (SignLine((Span("TEST ", MARK_COLOUR), *first.spans), first.keep), *lines[1:])
    return tuple(lines)


def _notice(view: View) -> SignLine | None:
    if view.held is not None:
        return line("TEST FLOOR CALLED" if view.test else "FLOOR CALLED", Colour.RED)
    return line("TABLE CLOSED", Colour.RED) if view.phase == "closed" else None


def _last(view: View) -> SignLine:
    """The result of the last round: as text while it is on the table, later from the shoe's history."""
    if view.outcome_text is not None:
        if view.shoe is not None and view.outcome is None:
            return line("ROUND VOID, BETS BACK")
        return _outcome(view, view.outcome_text)
    if view.shoe is None:
        return line(view.game.title.upper())
    beads = _beads(view.shoe)
    if not beads:
        return line("NEW SHOE")
    side, marks = _side(view.shoe, beads[-1]), _marks(view.shoe, beads[-1].flags)
    return SignLine((Span("LAST " if marks else "LAST HAND "), Span(side.upper(), COLOURS[side]), *marks))


def _outcome(view: View, text: str) -> SignLine:
    marks = [] if view.shoe is None else _marks(view.shoe, view.marks)
    side = view.outcome or ""
    if marks and side in COLOURS:
        text = f"{side} {_score(view.hands)}".strip()
    return SignLine((Span(text.upper(), COLOURS.get(side, Colour.AMBER)), *marks))


def _score(hands: tuple[HandView, ...]) -> str:
    """The totals, the winner's first, in short: there is little room beside a mark."""
    totals = [hand.total for hand in sorted(hands, key=lambda hand: not hand.won) if hand.total is not None]
    return "-".join(totals) if len(totals) == len(hands) else ""


def _marks(shoe: ShoeView, flags: Iterable[str]) -> list[Span]:
    titles = {mark.key: mark.title.upper() for mark in shoe.side_bets}
    return [Span(f" {titles[flag]}", MARK_COLOUR) for flag in flags if flag in titles]


def _history(shoe: ShoeView) -> SignLine:
    """One letter per hand, the newest at the right, which stays when there is no room for all."""
    return SignLine(tuple(_letter(shoe, bead) for bead in _beads(shoe)), keep="end")


def _letter(shoe: ShoeView, bead: Bead) -> Span:
    for mark in shoe.side_bets:
        if mark.key in bead.flags:
            return Span(_LETTERS.get(mark.key, mark.title[:1].upper()), MARK_COLOUR)
    side = _side(shoe, bead)
    return Span(side[0].upper(), COLOURS[side])


def _side(shoe: ShoeView, bead: Bead) -> str:
    return {"B": shoe.bank_title.lower(), "P": "player", "T": "tie"}[bead.winner]


def _beads(shoe: ShoeView) -> list[Bead]:
    return [bead for column in shoe.bead for bead in column]


def _status(view: View) -> str:
    match view.phase:
        case "dealing":
            return "NO MORE BETS"
        case "held":
            return "FLOOR CALLED"
        case "closed":
            return "TABLE CLOSED"
        case "waiting":
            return "SHUFFLE"
        case "betting" | "settled":
            if view.bets_close_in is not None:
                return f"BETS CLOSE IN {view.bets_close_in}"
            return view.prompt.upper() if len(view.prompt) <= LONGEST_PROMPT else "PLEASE WAIT"


def _posted(view: View) -> list[SignLine]:
    jackpots = [line(f"{one.title.upper()} {_money(one.cents)}", MARK_COLOUR) for one in view.jackpots if one.cents > 0]
    if view.limits is not None:
        return [_limits(view.limits), *jackpots]
    return [*([] if view.stakes is None else [line(view.stakes.upper())]), *jackpots]


def _limits(limits: LimitsView) -> SignLine:
    return line(f"BETS {_money(limits.min_cents)} - {_money(limits.max_cents)}")


def _money(cents: int) -> str:
    dollars, rest = divmod(cents, 100)
    return f"${dollars:,}" + (f".{rest:02}" if rest else "")


def _statistics(shoe: ShoeView, name: str) -> list[SignLine]:
    rows: list[tuple[str, Tally | SideTally, Colour]] = [
        (shoe.bank_title.upper(), shoe.banker, COLOURS["banker"]),
        ("PLAYER", shoe.player, COLOURS["player"]),
        ("TIE", shoe.tie, COLOURS["tie"]),
        *((mark.title.upper()[:8], mark, MARK_COLOUR) for mark in shoe.side_bets),
    ]
    head = f"{name} {shoe.hands} NATURAL {shoe.naturals}"
    return [
        line(head),
        *(line(f"{title:<9}{tally.count:>3}{_percent(tally):>8}", colour) for title, tally, colour in rows),
    ]


def _percent(tally: Tally | SideTally) -> str:
    return "" if tally.percent is None else f"{tally.percent:.1f}%"
