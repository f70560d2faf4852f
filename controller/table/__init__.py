"""What comes in at a table and is submitted to the recorder.

translate   a device's report as an engine input
intake      the way of a report into the journal
acts        what people do at the console and the key panels
timers      what happens because time passes

It may import `recorder`, `outputs`, `operator`, `firmware`, `technician` and what is below them.
"""
