"""Tests of the drop box's driver."""
