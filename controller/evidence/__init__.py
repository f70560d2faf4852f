"""Evidence: what a journal proves, told to the people who have to believe it. Read only, while the daemon runs or not.

verify    the chain of hashes is whole, and re-running every input gives the same events
rerun     the engine fed from a journal again: all of it, or as it stands now
rounds    the rounds of a journal, step by step
telling   a round as a person reads it: `cutcard replay` and `cutcard recall`
words     inputs, events, cards and money in words
attest    digests of program, rules, schedules, configuration and journal
progress  a bar on a terminal where it takes longer than a second
commands  the commands of `cutcard` for all of these

docs/evidence.md is the inspector's page.
"""
