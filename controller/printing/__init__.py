"""Tables on paper, once for every document that we print: the shift report, the rules packet.

table   a heading, columns and rows
text    for a terminal
sheet   CSV
colours for a terminal that has them
page    HTML in one file: no script, nothing to load, prints as it is seen
pdf     drawn by ReportLab, the same bytes for the same content; the `report` extra installs it
"""
