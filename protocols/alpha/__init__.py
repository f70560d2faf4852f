"""The Alpha sign protocol (M-Protocol), which LED reader boards speak: docs/protocols/reader-board.md.

codes      the bytes that the manual gives names to: colours, modes, positions, fonts
text       the content of a message: characters, colours, calls of other files
special    special functions: the sign's clock, speaker and memory
commands   one class per command and per answer
packets    packets on the line: encoding, and finding them again after noise
parity     seven bits and even parity over a port of eight bits
"""
