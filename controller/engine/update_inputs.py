"""Updates by signed reference, as values: kinds of inputs (`inputs.py`). docs/mqtt/references.md is their page.

The content never comes here: an entry of the journal names it by its hash.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.body import Body
from controller.engine.bounds import Milliseconds, Words

What = Literal["staff", "configuration", "software", "certificate"]
"""What a reference may be of."""
MOST_UPDATE_BYTES = 2**30
Address = Annotated[str, Meta(min_length=1, max_length=512)]
BundleSize = Annotated[int, Meta(ge=1, le=MOST_UPDATE_BYTES)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Serial = Annotated[int, Meta(ge=1, le=2**53)]
KeyId = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


class Reference(Struct, frozen=True, forbid_unknown_fields=True):
    """A bundle whose signature was checked."""

    what: What
    address: Address
    size: BundleSize
    sha256: Sha256
    issued: Milliseconds
    serial: Serial
    """It rises: a bundle that was replaced cannot be played again."""
    key: KeyId
    """Which of the trusted keys signed it."""


class UpdateTaken(Body, tag="take_update"):
    """A staff or software bundle, or a certificate, was fetched and checked; it is used once this is in the
    journal. A configuration comes with `Configured`."""

    reference: Reference
    text: Words
    """What changes, for people."""
