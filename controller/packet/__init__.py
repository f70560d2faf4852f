"""The packet of a ruleset: what a compliance officer reads beside the approval and signs.

document        sections of paragraphs, facts and tables, as values; its JSON
make            puts the sections together
facts, topics   the rule data, key by key, each with its line, in the section where it belongs
values          names and values in words
play            some rounds played by the bot; procedure: deal, decisions and settlement seen in them
outcomes        what becomes of each wager, from chosen hands that are dealt
tables/         ranking, charts and button tables, computed by the functions of the games
irregularities  what the texts rule
fees            the collection as printed and as read; jackpots
compare         what differs from an earlier packet
text, page, pdf the forms, listed in forms

docs/compliance/packet.md is the page for those who read a packet. It imports rules, games and printing; nothing but the
command line imports it.
"""
