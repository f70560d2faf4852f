"""A marker on a class for the compiler (deploy/compile.py).

A class of a compiled module cannot have an interpreted subclass, unless it is marked:

    @mypyc_attr(allow_interpreted_subclasses=True)

The compiler knows the marker from `mypy_extensions`, which is not installed at a table: here it does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**attributes):
        return lambda kind: kind


__all__ = ["mypyc_attr"]
