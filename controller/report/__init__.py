"""The shift report: due and counted, read from the journal.

`period` says from when to when, `ledger` adds up what the journal tells of that time in `lines`, `words` puts them into
columns and `plot` draws due and counted without knowing on what; `text`, `sheet` (CSV), `page` (HTML) and `pdf` write
it, `commands` is `cutcard report`. docs/reconciliation.md is the page for those who read it.
"""
