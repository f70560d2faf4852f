"""What a device's report means to the engine: one module for each kind of device, named after it.

report   the way in: finds the module for the device's kind
common   what the modules share
counters the counters that a dealing device reports beside what happened
<kind>   `translate(report, context)` for reports of this kind: the body of an input, or None

A kind without a module only has its states and its notes. Sealed cards (a stack that nobody may look at) go into
`StackOut` only, never into a happening, whose facts are published.

May import `controller.engine`, `devices` and `protocols`.
"""
