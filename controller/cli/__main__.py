"""`python -m controller.cli`: the command `cutcard`."""

from __future__ import annotations

import sys

from controller.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
