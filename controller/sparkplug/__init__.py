"""`cutcard sparkplug`: tables as Sparkplug B 3.0 edge nodes, for SCADA systems that speak nothing else.

payload         Sparkplug's protobuf messages
samples         the documents of the contract as metrics, by their types
node            one edge node: births, deaths, data, sequence, aliases; no I/O
birth_numbers   the bdSeq of each node, kept across restarts
edge            the connection of one node to the Sparkplug broker
bridge          reads the tables' messages and hands them to their nodes

It knows the tables by their messages only. It may import `contract`, `config`, `mqtt` and `tail`.
"""
