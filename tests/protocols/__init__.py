"""Tests of `protocols`."""
