"""Which names in a Host header mean this table.

A page from elsewhere can make a browser on the cardroom's network ask this server under a name of its own choosing
(DNS rebinding). The browser then sends that name in the Host header, and is refused: a name that nobody
configured is not this table.
"""

from __future__ import annotations

from collections.abc import Iterable

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class AllowedHosts:
    """The loopback names, the address the server is bound to, and what the configuration adds."""

    def __init__(self, bind_host: str, more: Iterable[str] = ()) -> None:
        self._bind_host = bind_host
        self.change(more)

    def change(self, more: Iterable[str]) -> None:
        """Replace the added names."""
        self.names = LOOPBACK | {_bare(name) for name in (self._bind_host, *more) if name}

    def allow(self, header: str | None) -> bool:
        return header is not None and host_of(header) in self.names


def host_of(header: str) -> str:
    """The name in a Host header, without port and brackets, in lower case.

    >>> host_of("Table-7.example:8080"), host_of("[::1]:8080"), host_of("127.0.0.1")
    ('table-7.example', '::1', '127.0.0.1')
    """
    if header.startswith("["):
        return _bare(header.partition("]")[0])
    return _bare(header.partition(":")[0])


def _bare(name: str) -> str:
    return name.strip().strip("[]").rstrip(".").lower()
