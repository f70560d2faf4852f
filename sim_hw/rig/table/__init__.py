"""The table beside a rig's devices: broker and daemon as processes, and a subscriber.

process     start, stop, the end of a log
broker      the broker
config      the daemon's config
daemon      the daemon
subscriber  keeps what is published

May import `sim_hw.people` for the console.
"""
