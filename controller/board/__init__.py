"""The board itself, where it runs the image that `make image` builds: docs/operations/board.md is the page.

site_file   board.toml on the boot partition: what the site says of this board
settings    what the system is given of it at each start: name, network, time, who may log in
setup       the first start: four questions, then a configuration
"""
