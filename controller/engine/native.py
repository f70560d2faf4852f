"""What a class says to the compiler (deploy/compile.py) and to nobody else.

A class of a compiled module cannot be extended by one that is not, unless it says so:

    @mypyc_attr(allow_interpreted_subclasses=True)

The compiler knows that word from `mypy_extensions`, which is no part of what is installed at a table: here it means
nothing, and the class is what it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**said):
        return lambda kind: kind


__all__ = ["mypyc_attr"]
