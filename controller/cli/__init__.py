"""The command line: a module for each command, with its arguments and what it prints. The work is in other packages.

main        the program: finds the module of a command (docs/development/adding-a-command.md)
arguments   arguments that several commands share
records/    about a table's records       board/      set up the board under a table
technician/ of a technician at a table    simulated/  simulated tables: demo, rig, soak
broker/     beside a broker
            here: run, floor, rules and cases

It may import every package; nothing imports it.
"""
