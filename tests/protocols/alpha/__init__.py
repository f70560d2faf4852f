"""Tests of `protocols.alpha`."""
