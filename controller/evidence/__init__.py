"""Evidence: what a journal proves, for the people who have to believe it. Read only, whether or not the daemon runs.

verify    the chain of hashes is whole, and re-running every input gives the same events
rerun     the engine fed from a journal again: all of it, or to its present state
segments  a journal with archives on all cores, archive by archive
beside    the re-run of one without archives in a process of its own, on another core
rounds    the rounds of a journal, step by step
round_text   a round as a person reads it: `cutcard replay` and `cutcard recall`
words     inputs, events, cards and money in words; procedure_words: of the procedures beside the rounds
names     betting places and persons in words
attest    digests of program, rules, schedules, configuration and journal
progress  a bar on a terminal where it takes longer than a second

docs/compliance/evidence.md is the inspector's page.
"""
