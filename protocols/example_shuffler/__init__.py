"""The example vendor's shuffler: a maker's own protocol beside ours. docs/protocols/example-shuffler.md is its page.

messages  what the two ends say, as values
codec     a message as text, and back
framing   text as bytes on the line, and back

May import `protocols` only.
"""
