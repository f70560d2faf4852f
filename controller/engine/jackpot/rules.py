"""The rules of a jackpot, as the house enters them: what feeds it, when it is hit, how it is paid and seeded again.

No approval prints how a jackpot is paid; the parts that are printed (the fee, who pays it, who is eligible) are in the
collection schedules. So these are the house's own, as data: docs/table/jackpots.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.amounts import money
from controller.engine.bounds import Cents
from controller.engine.cards.card import RANKS
from controller.engine.ranking.chart import STANDARD, THREE_CARD

MOST_JACKPOTS, MOST_PRIZES, MOST_SHARES = 8, 16, 8
Parts = Annotated[int, Meta(ge=0, le=10_000)]
"""A share, in proportion to the other ones."""
JackpotName = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
Title = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=500)]

Whose = Literal["anybody", "player", "player_dealer", "winner", "loser"]
Suits = Literal["any", "colour", "suit"]
SeedFrom = Literal["reserve", "reserve_then_house"]

HOUSE = "house"
"""Where rules come from that no approval prints."""
DEFAULT_NAME = "jackpot"
"""The meter of a table that takes a jackpot fee and has no rules for it."""
CATEGORIES = tuple(dict.fromkeys(row.value for chart in (STANDARD, THREE_CARD) for row in chart.categories))


class Recognised(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """By what the table proposes a hit: a rank, or the cards themselves."""

    whose: Whose = "anybody"
    rank: Annotated[tuple[Annotated[str, Meta(max_length=32)], ...], Meta(max_length=6)] = ()
    """At least this: a category, and ranks that break a tie: full_house, A, T."""
    cards: Annotated[str, Meta(max_length=16)] = ""
    """Exactly these ranks: 888."""
    suits: Suits = "any"
    """Of `cards`: any, all of one colour, all of one suit."""


class Share(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who gets a part of a prize. The floor names the seats; they get the same amount each."""

    to: JackpotName
    """As the house calls them: winner, loser, table."""
    parts: Annotated[int, Meta(ge=1, le=10_000)] = 1
    may_be_nobody: bool = False
    """Nobody may be there for it, as for a table share; then it stays in the meter."""


class Prize(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One hand that is paid, and how."""

    name: JackpotName
    qualifies: Text
    """The hand, in the words of the house."""
    shares: Annotated[tuple[Share, ...], Meta(min_length=1, max_length=MOST_SHARES)]
    percent: Annotated[int, Meta(ge=1, le=100)] = 100
    """Of the main meter."""
    cents: Cents | None = None
    """A fixed amount instead, at most what is in the meter."""
    recognise: Recognised | None = None


class Jackpot(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One jackpot of a table."""

    name: JackpotName
    title: Title = ""
    main: Parts = 1
    """Parts of each jackpot fee for the main meter, among `main` and `reserve` of all jackpots of the table."""
    reserve: Parts = 0
    seed: Cents = 0
    """What the main meter begins with, and is filled up to after a payout."""
    seed_from: SeedFrom = "reserve"
    round_to: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    """Each seat's amount is rounded down to a multiple of this; the rest stays in the meter."""
    needs_fee: bool = True
    """Only a hand for which a jackpot fee was taken can be a hit."""
    source: Text = HOUSE
    prizes: Annotated[tuple[Prize, ...], Meta(max_length=MOST_PRIZES)] = ()

    @property
    def called(self) -> str:
        return self.title or self.name

    def prize(self, name: str) -> Prize | None:
        return next((prize for prize in self.prizes if prize.name == name), None)


UNRULED = Jackpot(DEFAULT_NAME, "Jackpot", source="")
"""A fee is taken, and the house has entered no rules: it is counted, and cannot be paid."""


def in_force(entered: Sequence[Jackpot], *, takes_fee: bool) -> tuple[Jackpot, ...]:
    """The jackpots of a table; one without rules where a fee is taken and the house has entered none."""
    return tuple(entered) if entered or not takes_fee else (UNRULED,)


def problems(jackpots: Sequence[Jackpot]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What no single value shows: the place in the list, and what is wrong there."""
    names = [one.name for one in jackpots]
    if jackpots and not any(one.main or one.reserve for one in jackpots):
        yield (0, "main"), "no jackpot gets a part of the fee. Write main = 1 for the one that gets it."
    for index, one in enumerate(jackpots):
        if one.name in names[:index]:
            yield (index, "name"), f"two jackpots are called {one.name!r}; each needs its own name."
        prizes = [prize.name for prize in one.prizes]
        for nth, prize in enumerate(one.prizes):
            place = (index, "prizes", nth)
            if prize.name in prizes[:nth]:
                yield (*place, "name"), f"two prizes are called {prize.name!r}; each needs its own name."
            if not prize.qualifies.strip():
                yield (*place, "qualifies"), "state in words which hand is paid."
            if prize.cents == 0:
                yield (*place, "cents"), "a prize of nothing; leave it out for a percentage of the meter."
            shares = [share.to for share in prize.shares]
            for number, to in enumerate(shares):
                if to in shares[:number]:
                    yield (*place, "shares", number), f"two shares are for {to!r}; each needs its own name."
            if all(share.may_be_nobody for share in prize.shares):
                yield (*place, "shares"), "somebody must get it: one share needs may_be_nobody = false."
            if prize.recognise is not None:
                for text in _not_recognised(prize.recognise):
                    yield (*place, "recognise"), text


def _not_recognised(sign: Recognised) -> Iterator[str]:
    if bool(sign.rank) == bool(sign.cards):
        yield "write either rank or cards."
        return
    if sign.rank and sign.rank[0] not in CATEGORIES:
        yield f"{sign.rank[0]!r} is no rank of a hand; write one of {', '.join(CATEGORIES)}."
    for rank in (*sign.rank[1:], *sign.cards):
        if rank not in RANKS:
            yield f"{rank!r} is no rank of a card; write one of {' '.join(RANKS)}."
    if sign.rank and sign.suits != "any":
        yield "suits goes with cards; a rank has its suits in it."


def in_words(jackpot: Jackpot) -> tuple[str, ...]:
    """The rules for people, a sentence each: what a packet or a sign prints."""
    fed = f"{jackpot.main} parts of each jackpot fee to the meter, {jackpot.reserve} to the reserve"
    seed = f"seeded with {money(jackpot.seed)}" + (
        "" if jackpot.seed_from == "reserve" else ", by the house if need be"
    )
    lines = [f"{jackpot.called}: {fed}; {seed} ({jackpot.source or 'the house has entered no rules'})."]
    for prize in jackpot.prizes:
        amount = f"{prize.percent}% of the meter" if prize.cents is None else money(prize.cents)
        total = sum(share.parts for share in prize.shares)
        shares = ", ".join(f"{share.to} {share.parts} of {total}" for share in prize.shares)
        lines.append(f"{prize.name}: {prize.qualifies} Pays {amount}: {shares}.")
    if jackpot.prizes:
        lines.append(f"Each seat's amount is rounded down to {money(jackpot.round_to)}; the rest stays in the meter.")
    if jackpot.needs_fee:
        lines.append("Only a hand for which a jackpot fee was taken is eligible.")
    return tuple(lines)
