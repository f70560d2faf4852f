"""Which text is which card: the whole mapping is right, or the config is refused with all that is wrong."""

from __future__ import annotations

import pytest

from devices.drivers.card_reader.driver import CardReaderDriver
from devices.drivers.card_reader.options import DECK, CardReaderOptions
from devices.options import OptionsError, options_of
from protocols.hid.card_codes import CARD_TEXTS
from tests.support.wire.card_readers import spec

OWN = {f"{number:04d}": card for number, card in enumerate(DECK)}


def wrong(**options: object) -> str:
    with pytest.raises(OptionsError) as refused:
        CardReaderDriver(spec(options=options))
    return str(refused.value)


def test_without_a_word_the_default_codes_stand_for_all_cards() -> None:
    options = options_of(spec(), CardReaderOptions)
    assert {card: text for text, card in options.codes.items()} == CARD_TEXTS
    assert options.symbologies == ("]C0", "]d1", "]Q1")
    assert (options.prefix, options.suffix, options.reread_ms) == ("", "", 600)


def test_a_cardroom_s_own_codes_may_have_several_texts_for_a_card() -> None:
    options = options_of(spec(options={"codes": OWN | {"B2": "9h", "J1": "Jo", "S1": "9h*"}}), CardReaderOptions)
    assert options.codes["B2"] == options.codes[next(text for text in OWN if OWN[text] == "9h")] == "9h"


def test_a_deck_with_holes_is_refused_unless_they_are_meant() -> None:
    without_tens = {text: card for text, card in OWN.items() if not card.startswith("T")}
    assert "there is no code for Tc, Td, Th, Ts: add it, or name the cards in `without`" in wrong(codes=without_tens)
    spanish = options_of(spec(options={"codes": without_tens, "without": ["Tc", "Td", "Th", "Ts"]}), CardReaderOptions)
    assert len(spanish.codes) == 48


def test_all_that_is_wrong_is_said_at_once_and_names_the_device() -> None:
    says = wrong(codes=OWN | {"": "2c", "é": "2c", "7": "1h", "8": "XX"}, without=["Jo", "9h"], symbologies=["C0"])
    for part in (
        "the card_reader 'reader':",
        "a code has 1 to 64 printable ASCII characters, not '', 'é'",
        "there is no card 1h, XX",
        "only cards of the 52 can be left out, not Jo",
        "9h cannot be left out and have a code",
        "an AIM identifier has three characters, as ]C0, not 'C0'",
    ):
        assert part in says


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reread_ms": -1}, "reread_ms is 0 to 10000, not -1"),
        ({"reread_ms": 10_001}, "reread_ms is 0 to 10000, not 10001"),
        ({"reread_ms": "soon"}, "options.reread_ms: expected a whole number, a text came"),
        ({"codes": ["9h"]}, "options.codes: expected an object, a list came"),
        ({"code": {}}, "there is no field code"),
        ({"codes": {"x" * 65: "9h"} | OWN}, "1 to 64 printable"),
    ],
)
def test_an_option_that_cannot_be_says_what_was_expected(options: dict[str, object], says: str) -> None:
    assert says in wrong(**options)
