"""Where another machine reaches a table's page and its metrics."""

from __future__ import annotations

from controller.config.fields import WebConfig
from controller.web.hosts import is_loopback

_EVERY_ADDRESS = ("", "0.0.0.0", "::")


def host_for_others(web: WebConfig) -> str:
    """The first name under which it is asked, else its own address: perhaps loopback; empty where it states neither."""
    return next((name for name in (*web.allowed_hosts, web.host) if name not in _EVERY_ADDRESS), "")


def is_for_others(host: str) -> bool:
    """Whether another machine can use it."""
    return bool(host) and not is_loopback(host)
