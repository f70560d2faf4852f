"""Whole table days in simulated time: `cutcard soak`, docs/development/soak.md.

table      one table in one process: the daemon, its devices and its people on one simulated loop
bench      what devices a game is dealt from, and the config of its daemon
broker     a broker, the connection to it, and a subscriber that writes everything down
faults     what goes wrong, by name, and how it is put right
checks     what must be true of every day
day        one day from one seed: people, faults, checks
command    `cutcard soak`: many days, side by side, with a progress bar

Nothing else in `controller` knows of `sim_hw`. Here the daemon and the simulated table share a process, because they
share their time.
"""
