"""Shoes and packs: a shoe as a value, from loading to its last hand; which pack may be dealt; the shuffle watch; the
counters that a dealing device keeps itself."""
