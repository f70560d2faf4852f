"""The daemon on the board under a card table. docs/architecture.md follows one card through it.

engine/    kernel, cards, money: pure          games/   one module per family, each game a script
rules/     what approvals print, as data       cases/   worked rounds
journal/   durable log                         mqtt/    publisher
web/       the page                            view     what screens and broker are told
evidence/  verify, replay, recall, attest      technician/  doctor, devices, capture
metrics/   what Prometheus asks                tail/    a table watched from the broker; enroll: its certificate
desk       where something that happened becomes an entry in the journal
app        the composition root; its parts:    config, clock, cli, demo, broker
  starting     may it start, and why not         intake       a device's report comes in (hearing says it)
  people       acts, and comings and goings      showing      screens, retained state, status
  timing       what time alone brings about      board_watch  the board's own alarms (board_alarms)
  commanding   what the devices may do now       attendance   which devices there are; reloading: the config
service    towards systemd: ready, alive       logs     lines, or journald's fields
"""

__version__ = "0.1.0"
