"""What is wrong with bytes or values that do not fit a `construct` declaration, in our own words.

The library's sentences are about its own paths and sometimes quote the bytes, which may name a card. A `Check` in a
layout is named by the sentence that it makes sure of, so that name is the answer.

    >>> from construct import Int32ub, Struct
    >>> try:
    ...     Struct("boot" / Int32ub).parse(b"ab")
    ... except ConstructError as error:
    ...     in_words(error)
    'it ends in boot: 4 bytes expected, 2 came'
"""

from __future__ import annotations

import re

from construct import (
    CheckError,
    ConstError,
    ConstructError,
    FormatFieldError,
    MappingError,
    StreamError,
    StringError,
    TerminatedError,
)

_SIZES = re.compile(r"expected (\d+), found (\d+)")


def in_words(error: ConstructError) -> str:
    """As a clause without a full stop; never with a byte of the wire."""
    field = (error.path or "").rpartition("-> ")[2] if "-> " in (error.path or "") else ""
    name = field or "a field"
    match error:
        case CheckError():
            return field or str(error)
        case StreamError():
            sizes = _SIZES.search(str(error))
            where = f"it ends in {name}"
            return where if sizes is None else f"{where}: {sizes[1]} bytes expected, {sizes[2]} came"
        case TerminatedError():
            return "it is longer than its fields"
        case StringError():
            return f"{name} is not ASCII text"
        case MappingError() if " mapping for " in str(error):
            return f"{name} has a value that its table does not have"
        case MappingError():
            return str(error)
        case ConstError():
            return f"{name} is not the fixed value of this layout"
        case FormatFieldError():
            return f"{name} does not fit in its bytes"
    return f"{name} cannot be used"
