"""What a scenario can wait to see.

sight      what every sight can do
find       the sight for a name: `event round_settled`, `state`, `board`, `command shuffler dispense`
published  events, state, devices and alarms, as a subscriber receives them
devices    what the controller makes a device do or show
daemon     the page, the log and the journal of the daemon

May import the rig, its table and its devices.
"""
