"""Scenarios: what happens at a table, as files that can be played and recorded.

file       a scenario's file
stage      plays it
sights     what it can wait to see
matching   whether something is as expected
recording  what a rig did and saw, as a new scenario

May import the rig, its table and its devices.
"""
