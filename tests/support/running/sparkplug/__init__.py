"""`cutcard sparkplug` with its brokers: foreign host applications, and the bytes on the wire."""
