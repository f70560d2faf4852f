"""Engine and journal in step.

recorder       applies an input and commits it with its events; after a restart it replays the journal
archivist      when the journal is rotated, and how long archives are kept
board_alarms   how a part of the daemon raises and clears an alarm

It may import `journal`, `engine` and `config`.
"""
