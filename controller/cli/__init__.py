"""The command line: a module for each command, with its arguments and what it prints. The work is in other packages.

main        the program: finds the module of a command (docs/development/adding-a-command.md)
arguments   arguments that several commands share
records/    the commands about a table's records

It may import every package; nothing imports it.
"""
