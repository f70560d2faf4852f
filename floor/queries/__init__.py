"""What pages read from the store, typed. The books have a package of their own: `floor.books`.

overview   which tables there are, and how whole what we have of each is
documents  the retained documents as they are now
pace       what a screen shows of each table; history: its last rounds; marks: since a moment; room: its boxes

Each query names its site, except `overview`, which is for the person who looks after the store.
"""
