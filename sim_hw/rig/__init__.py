"""The rig: a table's simulated devices, and the daemon beside them, for people, scripts and tests.
docs/protocols/rig.md.

rig       the devices of a plan
acts      what people do with devices, by name
faults    what goes wrong, by name
story     what was done, in order
crew      people who play by themselves
table     broker, daemon, subscriber
scenario  files that are played and recorded
wire      a real device behind a wire with faults
command   `cutcard rig`
control   a running rig takes steps over a socket
playback  a recorded device, played back
toml      writes TOML

May import everything else of `sim_hw`, and `protocols`.
"""
