"""Tests of `protocols.link`."""
