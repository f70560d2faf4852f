"""A table's procedures beside its rounds: what an approval prints of them, and what the table remembers of them.

rules      the procedures in force at a table: burns, hands of one player, absence, the cut, a shuffler that fails
conduct    what outlives a round: cards to be burned, who is away, who may play how many hands, who bought in

May import the engine's inputs and below. docs/table/procedures.md is the page for people.
"""
