"""The daemon on the board under a card table. docs/architecture.md follows one card through it.

engine/    kernel, cards, money: pure          games/   one module per family, each game a script
rules/     what approvals print, as data       cases/   worked rounds
journal/   durable log                         mqtt/    publisher
web/       the page                            view     what screens and broker are told
evidence/  verify, replay, recall, attest      technician/  doctor, devices, capture
metrics/   what Prometheus asks                tail/    a table watched from the broker; enroll: its certificate
desk       where something that happened becomes an entry in the journal
app        the composition root                config, clock, cli, demo, broker
service    towards systemd: ready, alive       logs     lines, or journald's fields
"""

__version__ = "0.1.0"
