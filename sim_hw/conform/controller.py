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
