"""The daemon on the board under a card table. docs/development/architecture.md follows one card through it.

app                                                the parts of one daemon, in the order of start and stop
table/ recorder/ journal/ outputs/ mqtt/ web/      the way of an input: in, durable, out
engine/ games/ rules/                              what a table does with it: pure
operator/ technician/ firmware/                    people at the table, under it, and the devices' programs
evidence/ report/ cases/ tail/ metrics/            what is read from a table
runtime/ config/ admin/ cli/ demo/ soak/           the process, its files, its commands, its simulations
contract/                                          what other programs may rely on

tests/architecture/test_imports.py has the layers: which package may import which.
"""

__version__ = "0.2.0"
