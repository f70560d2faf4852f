"""Tests of `protocols.hid`."""
