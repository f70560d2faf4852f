"""The packet of a ruleset at a table that chose this: every section, in the order in which an officer reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from controller.engine.cards.card import JOKER
from controller.engine.jackpot.rules import Jackpot
from controller.engine.round.game import Game
from controller.packet import procedure
from controller.packet.document import Block, Fact, Facts, Grid, Packet, Paragraph, Section
from controller.packet.facts import Source, facts_of, option_value, pay_tables, sources_of
from controller.packet.fees import collection, jackpots
from controller.packet.irregularities import irregularities
from controller.packet.outcomes import outcomes
from controller.packet.play import Play, offered, played
from controller.packet.tables import card_tables
from controller.packet.topics import OTHER
from controller.packet.uncited import UNCITED, uncited
from controller.packet.values import said, words
from controller.rules import Ruleset, load
from controller.rules.check import ROTATION
from controller.rules.confirmations import Confirmations
from controller.rules.readings import Reading, readings_of
from controller.rules.returns import WagerReturn, returns

TITLES: Mapping[str, str] = {
    "rules": "The rules and where they are printed",
    "equipment": "Equipment and cards",
    "seats": "Seats and positions",
    "wagers": "Wagers and limits",
    "deal": "Order of the deal",
    "ranking": "Hand ranking and card tables",
    "decisions": "Decisions",
    "settlement": "Settlement",
    "back_line": "Back line",
    "rotation": "Rotation of the player-dealer",
    "irregularities": "Irregularities",
    "pays": "Pay tables",
    "edge": "Edge, where it is exact",
    "collection": "Collection",
    "jackpots": "Jackpots",
    OTHER: "Other rules",
    "readings": "Readings and their confirmation",
    UNCITED: "Lines of the approval that nothing above cites",
}
"""The sections in their order. "Other rules" is there only where the data has keys that no section names."""


NONE_CONFIRMED = Confirmations()


def make(
    slug: str,
    chosen: Mapping[str, Any] | None = None,
    confirmations: Confirmations = NONE_CONFIRMED,
    jackpots: Sequence[Jackpot] = (),
) -> Packet:
    """The packet of one ruleset; the same bytes for the same rules and the same choices, confirmations and jackpots of
    the house."""
    return _Packet(load(slug), dict(chosen or {}), confirmations, jackpots).packet()


class _Packet:
    """One packet in the making: a method for each section, by its key."""

    def __init__(
        self, ruleset: Ruleset, chosen: dict[str, Any], confirmations: Confirmations, jackpots: Sequence[Jackpot]
    ) -> None:
        self._ruleset, self._chosen, self._confirmations = ruleset, chosen, confirmations
        self._jackpots = jackpots
        self._game: Game[Any] = ruleset.game
        self._options = ruleset.options(chosen)
        self._sources = sources_of(ruleset, chosen)
        self._without_posted = ruleset.options(_without_schedule(ruleset, chosen))
        self._play: Play = played(self._game, self._without_posted, ruleset.slug)
        self._wagers = tuple(offered(self._game, self._options, ruleset.slug) or self._play.wagers.values())

    def packet(self) -> Packet:
        data = self._ruleset.data
        sections: list[Section] = []
        for key, title in TITLES.items():
            if key == UNCITED:
                sections.append(Section(key, title, tuple(uncited(sections, data.source))))
                continue
            blocks = [*getattr(self, key)(), *facts_of(self._sources, key)]
            if blocks or key != OTHER:
                sections.append(Section(key, title, tuple(blocks)))
        in_force = self._ruleset.digest_with(self._chosen)
        return Packet(data.slug, data.title, data.cardroom, data.approval, in_force, tuple(sections))

    @property
    def _is_banked(self) -> bool:
        return self._game.has_player_dealer

    # Sections

    def rules(self) -> Iterator[Block]:
        for source in self._sources:
            ruleset, data = source.ruleset, source.ruleset.data
            rows = [
                Fact("ruleset", ruleset.slug),
                Fact("cardroom", data.cardroom),
                Fact("approval", data.approval or "no approval id is printed"),
                Fact("lines", data.source, note="of the approval's text; every line in this packet is one of it"),
                Fact("file", ruleset.file),
                Fact("sha256 of the file", ruleset.digest),
                Fact("script", ruleset.game.slug),
            ]
            if not source.of:
                rows.append(Fact("in force", ruleset.digest_with(source.chosen), note="in every round of the journal"))
            yield Facts(tuple(rows), f"Rides on {source.of}" if source.of else "")
            if data.note:
                yield Paragraph(" ".join(data.note.split()), data.source)

    def equipment(self) -> Iterator[Block]:
        deck = self._game.deck(self._options)
        rows = [Fact("cards", _cards_said(deck))] if deck is not None else []
        lasts = "a shoe that serves many hands" if self._game.uses_shoe else "a deck that is whole for every hand"
        rows.append(Fact("dealt from", lasts))
        decks = self._game.decks(self._options)
        if decks is not None:
            rows.append(Fact("decks", str(decks)))
        rows.append(Fact("decks that take turns", str(self._game.decks_in_rotation(self._options))))
        rows.append(Fact("dice", f"{self._play.dice} in a cup" if self._play.dice else "none"))
        if self._game.uses_shoe:
            in_hand, between = self._game.hands_after_cut_card(self._options)
            rows.append(Fact("cut card during a hand", f"hands after that one: {in_hand}"))
            rows.append(Fact("cut card between hands", f"hands after that: {between}"))
        yield Facts(tuple(rows))

    def seats(self) -> Iterator[Block]:
        most = self._game.most_seats(self._options)
        among = ", the player-dealer's among them" if self._is_banked else ""
        text = f"{most}{among}" if most is not None else "the text states no number"
        fewest = 1 if self._is_banked else max(2, getattr(self._options, "fewest_seats", 0))
        yield Facts((Fact("seats of a table at most", text), Fact("players at least", str(fewest))))

    def wagers(self) -> Iterator[Block]:
        if self._is_banked:
            yield Paragraph("Every wager is against the player-dealer, who covers it as far as his money goes.")
        else:
            posts = ", ".join(words(one) for one in self._game.opens_with) or "nothing"
            sets = ", ".join(words(one) for one in self._game.floor_sets()) or "nothing"
            yield Facts(
                (Fact("first money", posts), Fact("the floor sets for a hand", sets)),
                "Players wager against each other",
            )
        yield from procedure.wagers(self._wagers)

    def deal(self) -> Iterator[Block]:
        yield from procedure.deal_order(self._play) or [
            Paragraph("No round is dealt of this sheet: it answers questions.")
        ]

    def ranking(self) -> Iterator[Block]:
        yield from card_tables(self._game, self._options) or [Paragraph("No hand is ranked by this sheet.")]

    def decisions(self) -> Iterator[Block]:
        yield from procedure.decisions(self._play) or [
            Paragraph("The players decide nothing once the bets are closed.")
        ]

    def settlement(self) -> Iterator[Block]:
        shown = outcomes(self._game, self._without_posted, self._ruleset.slug)
        order = procedure.settlement_order(self._play, {wager for block in shown for wager in block.columns})
        none = "The players pay each other; there is no pot." if self._play.rounds else "This sheet settles no wager."
        yield from shown
        yield from order or [Paragraph(none)]

    def back_line(self) -> Iterator[Block]:
        if not self._is_banked:
            yield Paragraph("Players wager against each other: there is no back line.")
            return
        yield from procedure.back_line(self._wagers)

    def rotation(self) -> Iterator[Block]:
        rotation = self._ruleset.rotation(self._chosen)
        if rotation is None:
            yield Paragraph("This game has no player-dealer, so no position rotates.")
            return
        source = self._sources[-1]
        printed = source.ruleset.data.rotation.source
        rows = tuple(
            Fact(words(name), said(getattr(rotation, name)), printed.get(name, "") or _reading_line(source, name))
            for name in rotation.__struct_fields__
        )
        yield Facts(rows, "In force")

    def irregularities(self) -> Iterator[Block]:
        source = self._sources[-1]
        procedures, printed = self._ruleset.procedures(self._chosen), source.ruleset.data.procedures.source
        rows = tuple(Fact(words(name), said(getattr(procedures, name)), lines) for name, lines in printed.items())
        if rows:
            yield Facts(rows, "Beside the rounds")
        yield from irregularities(self._game, self._options, self._sources[-1])

    def pays(self) -> Iterator[Block]:
        found = [block for source in self._sources for block in pay_tables(source)]
        other = (
            "Players play against each other: hand ranking and settlement say what is paid."
            if not self._is_banked
            else "None is printed."
        )
        yield from found or [Paragraph(other)]

    def edge(self) -> Iterator[Block]:
        found = returns(self._game, self._options)
        if found is None:
            yield Paragraph(
                "No wager of this game has an edge that does not depend on how people play; none is estimated."
            )
            return
        yield Grid(
            f"Counted over {found.over}", ("wager", "edge", "wins", "of"), tuple(_return(one) for one in found.wagers)
        )

    def collection(self) -> Iterator[Block]:
        yield from collection(self._fees_from)

    def jackpots(self) -> Iterator[Block]:
        yield from jackpots(self._fees_from, self._jackpots)

    @property
    def _fees_from(self) -> Source:
        """The ruleset whose collection is posted: a side bet has its own, or that of its game."""
        return self._sources[0] if "schedule" in self._ruleset.data.options else self._sources[-1]

    def other(self) -> Iterator[Block]:
        yield from ()

    def readings(self) -> Iterator[Block]:
        found = readings_of(self._ruleset, self._chosen)
        if not found:
            yield Paragraph("Nothing in these rules rests on a reading.")
            return
        rows = tuple((*_reading(one), self._confirmations.standing(one)) for one in found)
        columns = ("reading", "of", "what is open", "in force", "choices", "line", "confirmed")
        yield Grid("Places where our reading decides, or where no line states the default", columns, rows)


def _without_schedule(ruleset: Ruleset, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a table that posts no collection: the order of play does not depend on it."""
    bare = {name: value for name, value in chosen.items() if name != "schedule"}
    return {**bare, "schedule": ""} if "schedule" in ruleset.data.options else bare


def _cards_said(deck: Mapping[str, int]) -> str:
    """How many there are, and what is unusual about them."""
    jokers = deck.get(JOKER, 0)
    kinds = {code for code in deck if code != JOKER}
    times = sorted({count for code, count in deck.items() if code != JOKER})
    said_times = f"each {times[0]} to {times[-1]} times" if len(times) > 1 else f"each {times[0]} times"
    said_times = "each once" if times == [1] else said_times
    parts = [f"{sum(deck.values())} in all", f"{len(kinds)} different, {said_times}"]
    if all("-" not in code for code in kinds):
        ranks = [rank for rank in "AKQJT98765432" if any(code[0] == rank for code in kinds)]
        parts.append(f"ranks {' '.join(ranks)}")
        parts.append(f"{jokers} jokers" if jokers != 1 else "one joker")
        if marked := sorted({code[0] for code in kinds if code.endswith("*")}, key="AKQJT98765432".index):
            parts.append(f"marked: {' '.join(marked)}")
    else:
        parts.append("tiles")
    return ", ".join(parts)


def _reading_line(source: Source, name: str) -> str:
    option = source.ruleset.data.options.get(f"{ROTATION}{name}")
    if option is None:
        return "not printed"
    return ", ".join(filter(None, (option.source, f"reading {option.reading}")))


def _return(wager: WagerReturn) -> tuple[str, ...]:
    percent = 100 * wager.edge
    whose = "the player-dealer's" if percent >= 0 else "THE PLAYERS'"
    return words(wager.wager), f"{whose} {float(abs(percent)):.4f} %", f"{wager.wins:,}", f"{wager.ways:,}"


def _reading(reading: Reading) -> tuple[str, ...]:
    choices = "\n".join(
        f"{option_value(choice.value)}: {choice.meaning}" if choice.meaning else option_value(choice.value)
        for choice in reading.choices
    )
    letter = reading.letter or "the house chooses"
    return letter, reading.name, reading.text, option_value(reading.value), choices, reading.lines or "none"
