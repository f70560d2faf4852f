"""Tests of `devices`, with simulated devices on real ports."""
