"""Requirements of the pages that are the controller's: no device is judged by them, and each has a test of ours."""

from __future__ import annotations

from sim_hw.conform.requirement import of_controller

of_controller(
    "LINK-70",
    "11",
    "A controller that has the key and has received the offer seals every frame from then on.",
    "tests/protocols/link/test_seal.py",
)
of_controller(
    "SIGN-11",
    "2",
    "A receiver whose peer always sends checksums rejects a packet without one.",
    "tests/protocols/alpha/test_packets.py",
)
of_controller("SIGN-12", "3", "A STRING is configured as locked.", "tests/protocols/alpha/test_golden.py")
of_controller("SIGN-13", "5", "There is only one open request on a line.", "tests/devices/reader_board/test_driver.py")

# A scanner is a maker's own product, which follows a standard of USB-IF: the controller rejects what does not fit.
_SCANS = "tests/protocols/hid/test_pos.py"
_DESCRIPTORS = "tests/protocols/hid/test_hid.py"
of_controller("SCAN-1", "1", "A reader works when it is plugged in.", "tests/devices/card_reader/test_card_reader.py")
of_controller("SCAN-2", "2", "A descriptor without a scanned-data report is rejected.", _SCANS)
of_controller("SCAN-3", "2", "Data bytes and counts that do not begin on byte boundaries are rejected.", _DESCRIPTORS)
of_controller("SCAN-4", "3", "A long code is put together from reports that are continued.", _SCANS)
of_controller("SCAN-5", "3", "Parts of a code with different AIM identifiers are no code.", _SCANS)
