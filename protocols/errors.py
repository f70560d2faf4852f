"""The one error that codecs raise."""

from __future__ import annotations


class ProtocolError(Exception):
    """Bytes or values that the protocol does not allow: what was expected, what came."""
