"""The decoders of the card reader under damaged and random bytes: their own error or nothing, and no memory kept."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from protocols.errors import ProtocolError
from protocols.hid.descriptors import MAX_FIELDS, MAX_REPORT, parse_report_descriptor, report_descriptor_length
from protocols.hid.pos import MAX_SCAN, Scan, ScanDecoder, encode_scan, find_scans
from tests.support.hostile.fuzz import inputs
from tests.support.wire.hid_descriptors import keyboard, scanner

HELD_AT_WORST = 2_000_000
"""Bytes. A decoder that kept what it was fed would pass this early in a soak."""
MEASURE_EVERY = 16
"""Inputs: measuring memory makes the parser ten times as slow."""

MADE = [scanner(random.Random(seed)) for seed in range(20)]
SCANS = find_scans(MADE[0].descriptor)


@contextmanager
def bounded_memory(measured: bool = True) -> Iterator[None]:
    if not measured:
        yield
        return
    tracemalloc.start()
    try:
        yield
    finally:
        _, held_at_worst = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert held_at_worst < HELD_AT_WORST


@pytest.mark.timeout(3600)
def test_damaged_and_random_descriptors_raise_nothing_but_the_protocols_error() -> None:
    accepted = refused = 0
    for number, data in enumerate(inputs("hid", [keyboard(), *(made.descriptor for made in MADE)])):
        try:
            with bounded_memory(number % MEASURE_EVERY == 0):
                find_scans(data)
        except ProtocolError:
            refused += 1
            continue
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        accepted += 1
        parsed = parse_report_descriptor(data)
        assert all(report.length <= MAX_REPORT for report in parsed.inputs), data.hex(" ")
        assert sum(len(report.fields) for report in parsed.inputs) <= MAX_FIELDS, data.hex(" ")
        for report in parsed.inputs:
            for field in report.fields:
                assert field.offset + field.size * field.count <= 8 * report.length, data.hex(" ")
    assert accepted > 100
    assert refused > 100


@pytest.mark.timeout(3600)
def test_damaged_and_random_hid_descriptors_raise_nothing_but_the_protocols_error() -> None:
    found = refused = 0
    for number, data in enumerate(inputs("hid-length", [bytes.fromhex("09 21 11 01 00 01 22 49 00")], longest=40)):
        try:
            length = report_descriptor_length(data)
        except ProtocolError:
            refused += 1
            continue
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        found += length is not None
    assert found > 100
    assert refused > 100


@pytest.mark.timeout(3600)
def test_damaged_and_random_reports_come_out_as_scans_or_broken_ones_and_the_decoder_recovers() -> None:
    rng = random.Random("reports")
    (layout,) = SCANS.values()
    symbology = "]C0" if layout.symbology_at is not None else ""
    good = encode_scan(layout, b"9HD6", symbology)
    if layout.continued_at is not None:
        good += encode_scan(layout, b"x" * 4 * layout.room, symbology)
    decoder = ScanDecoder(SCANS)
    now = 0.0
    seen: set[type[object]] = set()
    with bounded_memory():
        for number, data in enumerate(inputs("hid-pos", good, longest=80)):
            now += rng.expovariate(5)
            try:
                came = decoder.feed(data, now)
            except Exception as error:
                raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
            seen |= {type(scan) for scan in came}
            assert decoder.held <= MAX_SCAN
            assert len(came) <= 2, data.hex(" ")
    assert len(seen) == 2
    decoder.poll(now + 1)
    assert decoder.feed(good[0], now + 1) == [Scan(b"9HD6", symbology)]
