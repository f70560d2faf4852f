"""Commands about a table's records: verify, replay, recall, attest, report, journal, backup, restore."""
