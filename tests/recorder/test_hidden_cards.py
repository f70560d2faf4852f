"""Nothing public answers a question about a face-down card.

The same evening is played twice, once with another card in the place of a face-down one. Everything that leaves the
table must be the same, to the byte: events, documents, prompts, refusals, previews. What is random in it, the hash of
the entry, is then searched by brute force: no card fits.
"""

from __future__ import annotations

import base64
import logging
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.cli.main import main
from controller.engine import events as ev
from controller.engine.inputs import Act, Amended, CardOut, Change, Input, decode_input, encode_input, seat_of
from controller.engine.table.engine import TableEngine
from controller.journal import Entry, Journal
from controller.journal.chain import FIELDS
from controller.mqtt.envelope import payload
from controller.recorder.recorder import engine_from
from controller.rules import resolve
from controller.soak.looking import Onlooker
from tests.engine.test_bot import DEALT
from tests.engine.test_looking import HouseEvening, ReadTable
from tests.support.evidence_journals import SITE, TABLE
from tests.support.turns import part

INPUTS = 90
MOST_CARDS = 3
"""Face-down cards that are exchanged in each evening."""
FOLLOWED = 8
"""Inputs for which both tables are compared after that."""
DOCUMENTS = ("view", "state", "console", "round inputs", "phase", "fees", "sign", "panel", "preview")
Hidden = dict[tuple[str, int], str]


def face_down(engine: TableEngine[Any]) -> Hidden:
    """The cards that the engine knows and nobody may: by owner and place in the hand."""
    if engine.round is None:
        return {}
    return {
        (owner, at): slot.card.code
        for owner, hand in engine.round.table.hands.items()
        for at, slot in enumerate(hand)
        if slot.is_read and slot.face_if_exposed is None
    }


def with_other(value: Input, card: str, other: str) -> Input:
    """The input, with these two cards exchanged."""
    one, two = f'"{card}"'.encode(), f'"{other}"'.encode()
    return decode_input(two.join(part.replace(two, one) for part in encode_input(value).split(one)))


class Exchange:
    """One face-down card, and another that might lie there as well."""

    def __init__(self, evening: HouseEvening, k: int, place: tuple[str, int], card: str, other: str) -> None:
        self.evening, self.k, self.place, self.card, self.other = evening, k, place, card, other

    def differences(self) -> Iterator[str]:
        """What is not the same about the two tables while the card is face down."""
        one, two = (engine_from(self.evening.first, resolve) for _ in range(2))
        onlooker, inputs = Onlooker(), self.evening.inputs
        for value in inputs[: self.k]:
            one.apply(value)
            two.apply(value)
        for step, value in enumerate(inputs[self.k : self.k + FOLLOWED]):
            if step and self._is_known_from(value):
                return
            events = one.apply(value), two.apply(with_other(value, self.card, self.other))
            if face_down(one).get(self.place) != self.card or face_down(two).get(self.place) != self.other:
                return  # it is turned up
            if ev.encode_events(events[0]) != ev.encode_events(events[1]):
                yield f"{self}: other events after {step} inputs"
            seen = onlooker.everything_public(one), onlooker.everything_public(two)
            yield from (
                f"{self}: another {name} after {step} inputs"
                for name, here, there in zip(DOCUMENTS, *seen, strict=True)
                if here != there
            )
            if step == 0:
                yield from self._previews(one, two)

    def _previews(self, one: TableEngine[Any], two: TableEngine[Any]) -> Iterator[str]:
        """The floor looks at what it would change to strike out each input of the round but this one."""
        for index in range(len(one.played.inputs) - 1):
            asked = Amended(one.round_number, (Change(index, None),), "a look")
            answers = [msgspec.json.encode(table.preview(asked)) for table in (one, two)]
            if answers[0] != answers[1]:
                yield f"{self}: another preview without input {index}: {answers[0]!r}, {answers[1]!r}"

        for answers in self._guesses(one, two):
            if answers[0] != answers[1]:
                yield f"{self}: another preview of a guess: {answers[0]!r}, {answers[1]!r}"

    def _guesses(self, one: TableEngine[Any], two: TableEngine[Any]) -> Iterator[list[Any]]:
        """The floor asks what would be if a card that lies face up were the one that it guesses."""
        for index, value in enumerate(one.played.inputs[:-1]):
            if not isinstance(value.body, CardOut) or value.body.card is None:
                continue
            for guess in (self.card, self.other):
                change = Change(index, {"kind": "card_out", "card": guess})
                asked = Amended(one.round_number, (change,), "a guess")
                yield [msgspec.json.encode(table.preview(asked)) for table in (one, two)]
                recorded = Input(0, "floor:ann", msgspec.structs.replace(asked, preview=True))
                yield [ev.encode_events(table.apply(recorded)) for table in (one, two)]

    def _is_known_from(self, value: Input) -> bool:
        """Who has the card acts on it, or somebody names it."""
        own = isinstance(value.body, Act) and str(seat_of(value.body.seat)) == self.place[0].partition(".")[0]
        return own or f'"{self.card}"'.encode() in encode_input(value)

    def __str__(self) -> str:
        return f"{self.evening.first.ruleset}, input {self.k}, {self.card} or {self.other} at {self.place}"


def exchanges(slug: str) -> Iterator[Exchange]:
    evening, rng, found = HouseEvening(slug, 5).play(INPUTS), random.Random(slug), 0
    engine = engine_from(evening.first, resolve)
    deck = engine.game.deck(engine.options) or {}
    for k, value in enumerate(evening.inputs):
        before = face_down(engine)
        engine.apply(value)
        new = {place: card for place, card in face_down(engine).items() if place not in before}
        if not new or found == MOST_CARDS or engine.round is None:
            continue
        place, card = rng.choice(sorted(new.items()))
        rest = b"".join(map(encode_input, evening.inputs[max(0, k - 60) : k + FOLLOWED + 1]))
        # Another one of the deck that nobody has seen around that time.
        others = [code for code in deck if f'"{code}"'.encode() not in rest and len(code) == len(card)]
        if others:
            found += 1
            yield Exchange(evening, k, place, card, rng.choice(others))


@pytest.mark.parametrize("slug", part(list(DEALT), of=3))
@pytest.mark.clause("WA-230-16-152")
def test_another_card_in_the_place_of_a_face_down_one_changes_nothing_public(slug: str) -> None:
    assert [text for exchange in exchanges(slug) for text in exchange.differences()] == []


def test_most_games_have_cards_to_exchange() -> None:
    """The test above is not empty: it has face-down cards in all but a few games."""
    with_cards = [slug for slug in sorted(DEALT)[::4] if next(exchanges(slug), None) is not None]
    assert len(with_cards) > 0.7 * len(sorted(DEALT)[::4])


HIDING = ("bankers-texas-holdem", "bankers-seven-card-stud", "bankers-pai-gow-poker", "village-buster-blackjack")


class ObservedTable(ReadTable):
    """A table whose public output somebody keeps."""

    def __init__(self, journal: Journal, evening: HouseEvening) -> None:
        super().__init__(journal, evening)
        self.kept: list[bytes] = []
        self.face_down: dict[int, str] = {}
        """By entry: the one card that was dealt face down with it."""

    def look(self) -> None:
        engine = self._recorder.engine
        status = self._documents.status_line() or ""
        self.kept += [status.encode(), self._documents.state(), self._metrics.text()]
        self.kept += self._onlooker.everything_public(engine)
        hidden = list(face_down(engine).values())
        last = next(self.journal.entries(self.journal.head.n), None)
        named = [] if last is None else [card for card in hidden if f'"{card}"'.encode() in last.input]
        if last is not None and len(named) == 1:
            self.face_down[last.n] = named[0]


async def observed(slug: str, path: Path) -> tuple[ObservedTable, list[Entry]]:
    evening = HouseEvening(slug, 6).play(60)
    with Journal.open(path, site=SITE, table=TABLE) as journal:
        table = ObservedTable(journal, evening)
        await table.play(lambda _: table.look())
        table.kept += [payload(event, historical=False) for event in journal.events_from(1, 10_000)]
        return table, list(journal.entries())


def fitting(entries: list[Entry], entry: Entry, card: str, deck: list[str], salt: bytes) -> list[str]:
    """The cards that give the published hash, for somebody who knows everything else of the entry."""
    before = entries[entry.n - 2].hash

    def digest(guess: str) -> bytes:
        input_ = entry.input.replace(f'"{card}"'.encode(), f'"{guess}"'.encode())
        numbers = FIELDS.pack(entry.n, entry.first_seq, entry.round, entry.count, len(input_))
        return sha256(before + numbers + salt + entry.link + input_ + entry.events).digest()

    return [guess for guess in deck if digest(guess) == entry.hash]


@pytest.mark.parametrize("slug", HIDING)
async def test_no_card_fits_a_published_hash_and_no_salt_is_published(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "journal.db"
    table, entries = await observed(slug, path)
    for command in (["journal", "info", "--journal"], ["recall", "--journal"], ["verify"]):
        assert main([*command, str(path)]) == 0
    kept = b"\n".join([*table.kept, capsys.readouterr().out.encode(), caplog.text.encode()])
    assert table.face_down, "no card was dealt face down"
    deck = list(DEALT[slug].game.deck(DEALT[slug].options()) or {})
    public = [entry.hash[:16] for entry in entries] + [bytes(16), b"", bytes.fromhex(table.journal.id)]
    for n, card in table.face_down.items():
        entry = entries[n - 1]
        assert entry.hash.hex().encode() in kept or not entry.count
        assert all(fitting(entries, entry, card, deck, salt) == [] for salt in public)
        assert fitting(entries, entry, card, deck, entry.salt) == [card], "the search does not find what it should"
    for entry in entries:
        for form in (entry.salt, entry.salt.hex().encode(), base64.b64encode(entry.salt), repr(entry.salt).encode()):
            assert form not in kept
