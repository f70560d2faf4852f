"""The daemon as a process: its start, its parts, systemd, its configuration.

startup      what must be right before a table may start
parts        the interface of a part, and the order of start and stop
systemd      ready, alive, status, and where the last run hung
health       the board's own alarms: disk, hang, recording
certificates an alarm before a certificate of the table expires
reload       the configuration read again
device_set   which devices there are, and how they change

It may import every package but `table`, `soak` and `cli`.
"""
