"""The shift report: due and counted, read from the journal.

period   from when to when
ledger   adds up what the journal holds of that time; lines: its values
words    the values as rows and columns of text; plot: a chart of due and counted
text, sheet (CSV), page (HTML), pdf   the forms, listed in forms
route    GET /api/report

docs/table/reconciliation.md is the page for those who read a report.
"""
