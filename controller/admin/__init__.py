"""An installed table's files, for its maintainer: backups, certificates, journal files, firmware images.

backup     a table's records on another disk
manifest   what a backup holds, signed by its board
restore    a backup on a new board
key_files  a key and its certificate: written, read, installed
enroll     the table's key and certificate for the broker; page_certificate: the page's;
           person_certificate: those of people and programs
journal    info, rotation by hand, export
firmware   images, and the devices that they are for

Used by `cli`. It may import `evidence`, `firmware`, `config`, `journal` and what is below them.
"""
