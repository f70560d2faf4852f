"""Engine and journal in step.

recorder       applies an input and commits it with its events; after a restart it replays the journal
archivist      when the journal is rotated, and how long archives are kept
checkpoints    signed checkpoints: made, kept, and compared with the journal at a start
board_alarms   how a part of the daemon raises and clears an alarm

It may import `journal`, `board_key`, `engine` and `config`.
"""
