"""Tables with an alarm, and what brings each one about."""
