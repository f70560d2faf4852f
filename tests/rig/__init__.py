"""Tests of the rig: acts, faults, scenarios, commands."""
