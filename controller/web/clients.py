"""Who a request comes from: the client, for limits.

A client is an address. A network of IPv6 gives one machine 2^64 of them, so there the first 64 bits are the client.
What comes over loopback is the board itself. Nothing in a request's headers is believed: a proxy is one client.
"""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from aiohttp import web

from controller.operator.sign_in_limits import BOARD


def client_of(request: web.Request) -> str:
    peer = None if request.transport is None else request.transport.get_extra_info("peername")
    return client_at(peer[0]) if isinstance(peer, tuple) else BOARD


def client_at(address: str) -> str:
    """
    >>> client_at("127.0.0.1"), client_at("::1"), client_at("10.0.0.7"), client_at("::ffff:10.0.0.7")
    ('board', 'board', '10.0.0.7', '10.0.0.7')
    >>> client_at("fe80::1%eth0"), client_at("2001:db8:0:7:abcd::1")
    ('fe80::/64', '2001:db8:0:7::/64')
    """
    at = ip_address(address.partition("%")[0])
    if isinstance(at, IPv6Address):
        if at.ipv4_mapped is None:
            return BOARD if at.is_loopback else str(IPv6Network((at, 64), strict=False))
        at = at.ipv4_mapped
    return BOARD if str(at) == "127.0.0.1" else str(at)
