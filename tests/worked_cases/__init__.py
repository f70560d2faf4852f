"""Tests of controller/cases. The worked rounds themselves are in tests/cases."""
