"""Which names in a Host header mean this page; which addresses are loopback.

A page from elsewhere can make a browser on the cardroom's network ask this server under a name of its own choosing
(DNS rebinding). The browser then sends that name in the Host header, and is refused: a name that nobody
configured is not this table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

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


_NAME_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]*)(:[0-9]{1,5})?")


def host_of(header: str) -> str | None:
    """The name in a Host header, without port and brackets, in lower case. None for what is no name with a port.

    >>> host_of("Table-7.example:8080"), host_of("[::1]:8080"), host_of("127.0.0.1")
    ('table-7.example', '::1', '127.0.0.1')
    >>> host_of("[::1].evil.example"), host_of("127.0.0.1:80.evil.example")
    (None, None)
    """
    found = _NAME_AND_PORT.fullmatch(header.strip())
    return None if found is None else _bare(found[1])


def _bare(name: str) -> str:
    return name.strip().strip("[]").rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """
    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "127.9.9.9", "10.0.0.7", "", "0.0.0.0", "::")]
    [True, True, True, True, False, False, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
