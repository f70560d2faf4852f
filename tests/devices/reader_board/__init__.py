"""Tests of the reader board's driver and of the simulated signs."""
