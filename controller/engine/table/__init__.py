"""One table, put together from parts; `engine.py` lists them and has the one dispatch of inputs.

state           what outlives a round, as frozen values: the journal's snapshot
lasting         holds that state and the rules in force; raises and clears alarms
current_round   the round that is prepared or running, and what the table waits for
device_numbers  a device's own numbers: repeats, gaps, restarts
counters        what a shoe or shuffler has counted itself, compared with every report
shoe            shoes and packs at the table
drop            fees by the clock, boxes, reconciliation, who deals
rounds          a round is fed, begins, is closed
clock           the board's clock was set, or is kept by a time server
settings        what can be set at a table for its game, each with its type
opening         why a table may not open: one function for each reason
house           configuration, open or closed, rules, seats, alarms answered, the board; `firmware`: new firmware
devices         devices come and go, sensors report
card_inputs     which cards each input of a round brought, by the slots that they are in
corrections     a round run again from amended inputs, or a preview of that
answers         answers to remote requests, for those that are repeated
fast_paths      shorter ways for the inputs that come most often
"""
