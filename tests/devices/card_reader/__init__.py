"""Tests of the card reader's driver."""
