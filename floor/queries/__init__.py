"""Everything that is read from the store, typed. Pages, books and reports ask here and nowhere else.

overview   which tables there are, and how whole what we have of each is
documents  the retained documents as they are now
books      fees, rounds, drops, boxes of a day, for one site
pace       what a screen shows of each table; history: its last rounds; marks: since a moment; room: its boxes

Each query names its site, except `overview`, which is for the person who looks after the store. Figures leave out
journals that no board has signed (`unattested`), and rounds of test mode.
"""
