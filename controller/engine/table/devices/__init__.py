"""The table's devices as the engine knows them: which are connected, what they count, and what they dispense or take.

connected   which devices are connected or away, and what the sensors of the boxes report
numbers     the numbers of a device's reports: repeats, gaps and restarts
counters    what a dealing device counts, checked with every report
firmware    new firmware, between rounds only
shoe        shoes and packs        drop    due against dropped
"""
