"""The books of a room or of several: what a shift, a day or a month came to, from the store alone.

scope    what books are of: sites, gaming days, a shift, a table, a section, a game, a dealer
lines    the values in them
sums     rounds, fees and drops, added up by table, game, dealer, section, room or day
boxes    what was counted, and what differs: counts of the table and count sheets
counts   count sheets: keyed, or read from a file
play     pace, the rounds that were void or corrected, who banked, jackpots
house    alarms, what people did, who has access, devices and their meters
cusum    the arithmetic of the watch; watch: what it has to say about dealers and boxes
make     all of it for one scope: `books`, what a page shows
words    the same as tables of text; forms: text, CSV, PDF, JSON
command  `cutcard floor books`

docs/floor/books.md is the page for those who read them. Every query names its sites. Figures leave out journals that no
board has signed, and tables in test mode.
"""
