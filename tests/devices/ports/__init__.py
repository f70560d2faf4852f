"""Tests of `devices.ports`."""
