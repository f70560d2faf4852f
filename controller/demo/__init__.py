"""`cutcard demo`: a simulated table, its broker and its daemon as processes of this machine.

run      starts them, follows the events, stops them
games    the ruleset and devices of a demo table
needs    what a ruleset needs of its table, read from the rules themselves
broker   the demo's MQTT broker
staff    people with PINs for a simulated table

It may import `engine`, `games`, `rules` and `operator`. The rig (`sim_hw`) is started as a process, never imported.
"""
