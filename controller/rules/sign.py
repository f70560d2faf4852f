"""The table's sign: what must be posted before a card is dealt, from the same data that charges.

Game, lowest and highest wager, every fee with its payer, and how fees are taken: as a page to print or show
(`as_page`), and as lines for a reader board (`as_board`). A fee of nothing is shown as nothing, because the document
prints it (collections, section 4).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape

from msgspec import Struct

from controller.engine.fees.schedule import FeeRow, Schedule
from controller.rules import Ruleset
from controller.rules.fee_words import amount, band, basis_said, limits_said, moment_said, words
from controller.rules.schedules import Chosen, Posted

BOARD_WIDTH = 40
"""Characters of a reader board's line, unless configured."""

TAKEN = {
    "before_deal": "Fees are taken and dropped before the first card is dealt.",
    "before_dice_open": "Fees are taken and dropped before the dice cup is opened.",
    "after_initial_deal": "Fees are fixed before the deal and dropped after the first cards.",
    "before_player_dealer_exposed": "Fees are fixed before the deal, taken before the player-dealer's hand is shown.",
    "before_settlement": "Fees are fixed before the deal and taken before the wagers are settled.",
}
NO_SHARE = "No fee is a percentage or a share of any wager or winnings."


class Fee(Struct, frozen=True):
    """One payer's fees: who and for what, then band by band."""

    who: str
    bands: tuple[str, ...]


class Sign(Struct, frozen=True):
    """Everything that is posted at a table about its game and fees."""

    game: str
    limits: str
    bonus: str
    fees: tuple[Fee, ...]
    taken: tuple[str, ...]
    schedule: str
    approval: str


def sign(ruleset: Ruleset, chosen: Chosen) -> Sign:
    """The sign of a table that posts this schedule; `RulesError` where it may not."""
    posted: Posted = ruleset.posted(chosen)
    schedule = posted.schedule
    return Sign(
        game=ruleset.data.title,
        limits=limits_said(schedule),
        bonus=_bonus(schedule),
        fees=tuple(_fees(schedule)),
        taken=tuple(_taken(schedule)),
        schedule=f"{schedule.id} (option {schedule.option})" if schedule.option else schedule.id,
        approval=ruleset.data.approval,
    )


def as_board(made: Sign, width: int = BOARD_WIDTH) -> list[str]:
    """Lines for a reader board, in capitals."""
    lines = [made.game, made.limits, *([made.bonus] if made.bonus else [])]
    for fee in made.fees:
        lines += [fee.who, *fee.bands]
    lines += [*made.taken, made.schedule]
    return [piece for line in lines for piece in textwrap.wrap(line.upper(), width)]


def as_page(made: Sign) -> str:
    """One page that needs nothing else: for a frame at the table, or for a screen."""
    fees = "\n".join(_section(fee) for fee in made.fees)
    bonus = f"<p class=limits>{escape(made.bonus)}</p>" if made.bonus else ""
    taken = "\n".join(f"<p>{escape(line)}</p>" for line in made.taken)
    approval = f", approval {escape(made.approval)}" if made.approval else ""
    return PAGE.format(
        game=escape(made.game),
        limits=escape(_capital(made.limits)),
        bonus=bonus,
        fees=fees,
        taken=taken,
        foot=f"Collection schedule {escape(made.schedule)}{approval}",
    )


def _fees(schedule: Schedule) -> Iterator[Fee]:
    ladders: dict[tuple[object, ...], list[FeeRow]] = {}
    for _, row in schedule.in_force():
        # Options posted together have the same fees for other numbers of players.
        ladders.setdefault((row.payer, row.basis, row.per, row.kind, row.when, row.wager, row.drop), []).append(row)
    for alike in ladders.values():
        row = alike[0]
        name = {
            "pot": "From the pot",
            "button": "Player on the button",
            "first_action_player": "Player with first action",
        }.get(row.payer, words(row.payer))
        kind = f", {words(row.kind)} fee" if row.kind not in ("", "base", "player") else ""
        box = ", jackpot box" if row.box == "jackpot" else ""
        who = f"{_capital(name)}{kind}{basis_said(row)}{moment_said(row)}{box}"
        yield Fee(who, tuple(_band(schedule, item) for item in alike if item.fee is not None or schedule.cents(item)))


def _band(schedule: Schedule, row: FeeRow) -> str:
    if row.fee is not None:
        return band(row)
    return amount(schedule.cents(row))


def _bonus(schedule: Schedule) -> str:
    if not schedule.bonus:
        return ""
    return f"{_capital(words(schedule.bonus))} wager {amount(schedule.bonus_min)} to {amount(schedule.bonus_max)}"


def _taken(schedule: Schedule) -> Iterator[str]:
    if schedule.collect_at is not None:
        yield TAKEN[schedule.collect_at]
    elif schedule.has_time_fee:
        yield "Fees are collected from every player who is seated when they fall due."
    else:
        yield "Fees are taken from the pot by the house dealer as the hand reaches the moments above."
    if schedule.house.jackpot_minimum_hands is not None:
        yield f"No jackpot fee with fewer than {schedule.house.jackpot_minimum_hands} hands with a wager."
    for rule in schedule.printed_jackpot_rules:
        yield rule.text
    yield NO_SHARE


def _section(fee: Fee) -> str:
    bands = "".join(f"<li>{escape(text)}</li>" for text in fee.bands)
    return f"<section><h2>{escape(fee.who)}</h2><ul>{bands}</ul></section>"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{game}: fees</title>
<style>
body {{ font: 22px/1.35 "DejaVu Sans", system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; color: #111; }}
h1 {{ font-size: 2.4em; margin: 0; }}
h2 {{ font-size: 1em; margin: 1.2em 0 .2em; border-bottom: 2px solid #111; }}
.limits {{ font-size: 1.4em; margin: .2em 0; }}
ul {{ list-style: none; margin: 0; padding: 0; columns: 2; font-variant-numeric: tabular-nums; }}
footer {{ margin-top: 2em; font-size: .7em; color: #444; }}
@media print {{ body {{ margin: 0; }} }}
</style>
<h1>{game}</h1>
<p class="limits">{limits}</p>
{bonus}
{fees}
<h2>How fees are taken</h2>
{taken}
<footer>{foot}</footer>
</html>
"""
