"""An installed table's files, for its maintainer: backups, journal files, firmware images.

backup     a table's records on another disk
manifest   what a backup holds, signed by its board
restore    a backup on a new board
journal    info, rotation by hand, export
firmware   images, and the devices that they are for

Used by `cli`. It may import `evidence`, `firmware`, `config`, `journal` and what is below them.
"""
