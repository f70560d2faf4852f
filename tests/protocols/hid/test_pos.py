"""Scans out of a barcode scanner's reports: whole or not at all."""

from __future__ import annotations

import random
import re

import pytest

from protocols.cards import RANKS
from protocols.errors import ProtocolError
from protocols.hid.card_codes import CARD_TEXTS
from protocols.hid.pos import MAX_SCAN, PART_WITHIN, BrokenScan, Scan, ScanDecoder, ScanLayout, encode_scan, find_scans
from tests.support.wire.golden import page, rows
from tests.support.wire.hid_descriptors import (
    application,
    controls,
    data,
    keyboard,
    report_id,
    scanner,
    usage,
    usage_page,
)

ITEM = re.compile(r"^ {4}((?:[0-9a-f]{2} )+) +(?:Usage|Collection|Report|Logical|Input|End)", re.MULTILINE)
REFERENCE = bytes.fromhex("".join(ITEM.findall(page("card-reader.md"))))
GOLDEN = [(str(fields["symbology"]), str(fields["text"]), sent) for _, fields, sent in rows("card-reader.md")]

SCANS = find_scans(REFERENCE)
LAYOUT = SCANS[2]
LONG = bytes(range(32, 127)) * 2


def reports(text: bytes, symbology: str = "]C0") -> list[bytes]:
    return encode_scan(LAYOUT, text, symbology)


def with_byte(report: bytes, at: int, value: int) -> bytes:
    changed = bytearray(report)
    changed[at] = value
    return bytes(changed)


def fed(decoder: ScanDecoder, *sent: bytes, now: float = 0.0) -> list[Scan | BrokenScan]:
    return [scan for report in sent for scan in decoder.feed(report, now)]


def test_the_reference_layout_is_the_table_on_the_page() -> None:
    layout = ScanLayout(
        report_id=2, length=64, data_at=5, room=56, count_at=1, symbology_at=2, continued_at=63, continued_bit=1
    )
    assert {2: layout} == SCANS


@pytest.mark.parametrize(("symbology", "text", "sent"), GOLDEN)
def test_a_golden_scan_is_what_we_send_and_what_we_understand(symbology: str, text: str, sent: bytes) -> None:
    assert b"".join(reports(text.encode(), symbology)) == sent
    split = [sent[at : at + 64] for at in range(0, len(sent), 64)]
    assert fed(ScanDecoder(SCANS), *split) == [Scan(text.encode(), symbology)]


def test_the_golden_scans_show_a_long_code_and_one_without_a_symbology() -> None:
    assert {len(sent) for _, _, sent in GOLDEN} == {64, 128}
    assert "" in {symbology for symbology, _, _ in GOLDEN}


def test_the_codes_on_the_page_are_those_in_the_code() -> None:
    suits = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
    table = {"Jo": "JOFE"}
    row = re.compile(r"^\| (\w+)(, star)? \|((?: `[0-9A-Z+]{4,5}` \|){13})$", re.MULTILINE)
    for suit, star, cells in row.findall(page("card-reader.md")):
        for rank, text in zip(RANKS, re.findall(r"[0-9A-Z+]+", cells), strict=True):
            table[rank + suits[suit] + ("*" if star else "")] = text
    assert table == CARD_TEXTS
    assert len(table) == 2 * 52 + 1


def test_no_single_wrong_character_makes_another_card() -> None:
    texts = set(CARD_TEXTS.values())
    assert len(texts) == len(CARD_TEXTS)
    alphabet = set("".join(texts))
    for text in texts:
        for at, right in enumerate(text):
            changed = {text[:at] + wrong + text[at + 1 :] for wrong in alphabet - {right}}
            assert not changed & texts, text
            assert text[:at] + text[at + 1 :] not in texts, text


def test_any_layout_that_the_page_allows_carries_any_code() -> None:
    rng = random.Random(11)
    several_parts = 0
    for _ in range(400):
        made = scanner(rng)
        scans = find_scans(made.descriptor)
        (layout,) = scans.values()
        assert (layout.report_id is not None, layout.count_at is not None) == (made.has_id, made.has_count)
        assert (layout.symbology_at is not None, layout.continued_at is not None) == (
            made.has_symbology,
            made.can_continue,
        )
        assert layout.room == made.room
        # Without a byte count a zero at the end of a code is padding: such a code cannot be recognised.
        text = rng.randbytes(rng.randint(1, 300 if made.can_continue else made.room)).rstrip(b"\0") + b"!"
        if not made.can_continue:
            text = text[-made.room :]
        sent = encode_scan(layout, text, "]Q1" if made.has_symbology else "")
        several_parts += len(sent) > 1
        decoder = ScanDecoder(scans)
        assert fed(decoder, *sent) == [Scan(text, "]Q1" if made.has_symbology else "")], made
        assert decoder.held == 0
        assert decoder.next_deadline() is None
    assert several_parts > 50


def test_zeros_in_a_counted_code_are_part_of_it() -> None:
    assert fed(ScanDecoder(SCANS), *reports(b"a\0b\0")) == [Scan(b"a\0b\0", "]C0")]


def test_a_scanner_with_two_kinds_of_scanned_data_is_read_in_both() -> None:
    field = usage_page(0x8C) + usage(0xFE)
    two = application(
        0x8C, 0x02, report_id(1) + field + controls(8, 8) + data(), report_id(9) + field + controls(8, 30) + data()
    )
    scans = find_scans(two)
    assert {number: layout.room for number, layout in scans.items()} == {1: 8, 9: 30}
    decoder = ScanDecoder(scans)
    assert fed(decoder, *encode_scan(scans[9], b"nine"), *encode_scan(scans[1], b"one")) == [
        Scan(b"nine", ""),
        Scan(b"one", ""),
    ]


@pytest.mark.parametrize(
    ("descriptor", "says"),
    [
        (keyboard(), "it is a keyboard: if it is a scanner, put it in HID POS mode"),
        (application(0x8D, 0x20, usage_page(0x8C) + usage(0xFE) + controls(8, 8) + data()), "no barcode scanner"),
        (application(0x8C, 0x02, usage(0xFB) + controls(8, 3) + data()), "no decoded data"),
        (application(0x8C, 0x02, usage(0xFE) + controls(7, 8) + data()), "decoded data does not lie in whole bytes"),
        (
            application(0x8C, 0x02, usage(0xFF) + controls(1, 1) + data() + usage(0xFE) + controls(8, 8) + data()),
            "decoded data does not lie in whole bytes",
        ),
        (
            application(0x8C, 0x02, usage(0xFE) + usage(0xFB) + usage(0xFC) + controls(8, 3) + data()),
            "three symbology identifiers do not stand side by side",
        ),
        (
            application(0x8C, 0x02, usage(0xFC) + usage(0xFB) + usage(0xFD) + usage(0xFE) + controls(8, 9) + data()),
            "three symbology identifiers do not stand side by side",
        ),
        (b"\x05", "ends within an item"),
    ],
)
def test_a_device_that_is_no_such_scanner_is_refused_by_name(descriptor: bytes, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        find_scans(descriptor)


def test_a_long_code_is_whole_or_cut_short_never_less() -> None:
    decoder = ScanDecoder(SCANS)
    first, *_ = reports(LONG)
    assert fed(decoder, first) == []
    assert decoder.held == 56
    assert decoder.next_deadline() == PART_WITHIN
    assert decoder.poll(PART_WITHIN - 0.01) == []
    assert decoder.poll(PART_WITHIN) == [BrokenScan("cut short")]
    assert decoder.next_deadline() is None
    assert fed(decoder, *reports(b"9HD6")) == [Scan(b"9HD6", "]C0")]


def test_the_clock_of_a_long_code_starts_anew_with_each_part() -> None:
    decoder = ScanDecoder(SCANS)
    sent = reports(LONG)
    assert len(sent) == 4
    scans = [scan for number, report in enumerate(sent) for scan in decoder.feed(report, number * 0.4)]
    assert scans == [Scan(LONG, "]C0")]


def test_a_late_report_ends_the_old_code_and_begins_a_new_one() -> None:
    decoder = ScanDecoder(SCANS)
    fed(decoder, reports(LONG)[0])
    assert fed(decoder, *reports(b"9HD6"), now=1.0) == [BrokenScan("cut short"), Scan(b"9HD6", "]C0")]


def test_an_unplugged_scanner_leaves_a_cut_short_code_if_it_was_in_the_midst_of_one() -> None:
    decoder = ScanDecoder(SCANS)
    assert decoder.end() == []
    fed(decoder, reports(LONG)[0])
    assert decoder.end() == [BrokenScan("cut short")]
    assert decoder.end() == []


def test_parts_of_two_codes_are_no_code() -> None:
    decoder = ScanDecoder(SCANS)
    sent, other = reports(LONG), reports(LONG, "]Q1")
    assert fed(decoder, sent[0], other[1], other[2], other[3]) == [BrokenScan("mixed")]
    assert fed(decoder, *reports(b"9HD6")) == [Scan(b"9HD6", "]C0")]
    assert fed(decoder, sent[0], *reports(b"ASC1", "]Q1")) == [BrokenScan("mixed")]
    assert fed(decoder, *reports(b"9HD6")) == [Scan(b"9HD6", "]C0")]


def test_a_code_longer_than_any_is_given_up_once_and_the_next_one_is_read() -> None:
    decoder = ScanDecoder(SCANS)
    endless = with_byte(reports(b"x" * 56)[0], 63, 1)
    scans = []
    for number in range(400):
        scans += decoder.feed(endless, number * 0.01)
        assert decoder.held <= MAX_SCAN
    scans += decoder.feed(reports(b"x")[0], 4.0)
    assert scans == [BrokenScan("too long")]
    assert fed(decoder, *reports(b"9HD6"), now=4.1) == [Scan(b"9HD6", "]C0")]
    assert fed(decoder, *reports(b"y" * MAX_SCAN), now=4.2) == [Scan(b"y" * MAX_SCAN, "]C0")]


GOOD = reports(b"9HD6")[0]


@pytest.mark.parametrize(
    "garbage",
    [GOOD[:-1], GOOD[:1], GOOD + b"\x01", with_byte(GOOD, 1, 57), with_byte(GOOD, 1, 255)],
    ids=["too short", "an id alone", "too long", "counts one too many", "counts far too many"],
)
def test_after_a_report_that_cannot_be_nothing_is_believed_until_the_scanner_was_quiet(garbage: bytes) -> None:
    decoder = ScanDecoder(SCANS)
    assert fed(decoder, garbage) == [BrokenScan("garbled")]
    assert fed(decoder, with_byte(GOOD, 63, 1), GOOD, now=0.3) == [BrokenScan("garbled")]
    assert fed(decoder, GOOD, now=0.7) == [BrokenScan("garbled")]
    assert decoder.next_deadline() == pytest.approx(0.7 + PART_WITHIN)
    assert decoder.poll(1.2) == []
    assert fed(decoder, GOOD, now=1.3) == [Scan(b"9HD6", "]C0")]


def test_a_report_that_cannot_be_in_the_midst_of_a_code_breaks_it() -> None:
    decoder = ScanDecoder(SCANS)
    assert fed(decoder, reports(LONG)[0], GOOD[:-1]) == [BrokenScan("garbled")]
    assert decoder.held == 0


def test_a_packet_that_overran_is_a_garbled_scan() -> None:
    decoder = ScanDecoder(SCANS)
    assert decoder.overran(0.0) == [BrokenScan("garbled")]
    assert fed(decoder, GOOD, now=0.1) == [BrokenScan("garbled")]


def test_zeros_behind_a_report_are_its_makers_padding() -> None:
    assert fed(ScanDecoder(SCANS), GOOD + bytes(8)) == [Scan(b"9HD6", "]C0")]


def test_other_reports_and_empty_ones_are_no_scans() -> None:
    decoder = ScanDecoder(SCANS)
    empty = with_byte(GOOD, 1, 0)
    assert fed(decoder, b"", b"\x05\x01", empty) == []
    assert (decoder.statistics.reports, decoder.statistics.strays) == (3, 3)
    assert fed(decoder, reports(LONG)[0], b"\x05", *reports(LONG)[1:]) == [Scan(LONG, "]C0")]


@pytest.mark.parametrize(
    ("text", "symbology", "says"),
    [
        (b"", "]C0", "1 to 8192 bytes"),
        (bytes(MAX_SCAN + 1), "]C0", "1 to 8192 bytes"),
        (b"x", "C0", "three characters"),
        (b"x", "]é0", "three characters"),
    ],
)
def test_what_is_no_code_is_not_sent(text: bytes, symbology: str, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        reports(text, symbology)


def test_a_scanner_without_the_means_does_not_send_long_codes_or_symbologies() -> None:
    (plain,) = find_scans(application(0x8C, 0x02, usage(0xFE) + controls(8, 8) + data())).values()
    with pytest.raises(ProtocolError, match="at most 8 bytes"):
        encode_scan(plain, b"123456789")
    with pytest.raises(ProtocolError, match="reports no symbology"):
        encode_scan(plain, b"1", "]C0")


def test_what_was_scanned_does_not_show_in_a_log() -> None:
    assert "9HD6" not in repr(Scan(b"9HD6", "]C0"))
