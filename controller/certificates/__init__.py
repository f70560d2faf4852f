"""The certificates of tables, pages, people and programs: keys, signing requests, authorities.

key_files  a key and its certificate: written, read, installed
table      a table's key and certificate for a broker
page       the page's key and certificate
person     those of people and programs
authority  who signs, with its key: `cutcard enroll sign`, `cutcard enroll person --sign-with`
published  what a table publishes about its certificates: until when they are good, and a request for the next one

It may import `config`, `operator`, and what is below them. docs/operations/security.md and docs/operations/renewal.md
are its pages.
"""
