"""Tests of the simulated devices, time and people."""
