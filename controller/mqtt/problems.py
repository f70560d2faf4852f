"""Why events do not reach the broker, in words for the person who has to do something about it.

Away is nobody's fault at the table: it plays on, and the journal keeps the events. Refused will not pass by waiting:
somebody has to change a password, a certificate, an access list.
"""

from __future__ import annotations

import ssl

from aiomqtt import MqttError
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.reasoncodes import ReasonCode


class BrokerProblem(Exception):
    """Events do not reach the broker now. They wait in the journal."""


class BrokerAway(BrokerProblem):
    """The broker cannot be reached, or does not answer."""


class BrokerRefused(BrokerProblem):
    """The broker is there and will not have us, or we cannot show it who we are."""


_WAITING_HELPS = {
    0x88,  # server unavailable
    0x89,  # server busy
    0x8B,  # server shutting down
    0x97,  # quota exceeded
    0x9F,  # connection rate exceeded
}
_UNSUPPORTED_PROTOCOL = 0x84


def away(address: str, why: str) -> BrokerAway:
    return BrokerAway(
        f"The broker at {address} is away: {why}. The table plays on; its events wait in the journal and are sent when "
        "the broker is back. If this lasts, check that the broker runs, and mqtt.broker.host, its port and its tls in "
        "the configuration."
    )


def refused(address: str, why: str, remedy: str) -> BrokerRefused:
    return BrokerRefused(f"The broker at {address} refuses this table: {why}. {remedy}")


def refused_message(address: str, topic: str, reason: ReasonCode) -> BrokerRefused:
    return refused(
        address,
        f"it does not take messages on {topic} ({reason})",
        "Check the broker's access list for this table's user. No event is left out: they wait in the journal until "
        "the broker takes them.",
    )


def explain(address: str, error: MqttError) -> BrokerProblem:
    """What a failure of the connection means."""
    if isinstance(error, MqttConnectError) and isinstance(error.rc, ReasonCode):
        code, why = error.rc.value, str(error.rc)
        if code in _WAITING_HELPS:
            return away(address, why)
        if code == _UNSUPPORTED_PROTOCOL:
            return refused(address, why, 'Use a broker that speaks MQTT 5, or set mqtt.broker.version = "3.1.1".')
        return refused(
            address, why, "Check mqtt.broker.username, its password_file and its client_id, and the broker's users."
        )
    # aiomqtt puts its own words in place of the operating system's, which stay as the context.
    cause = error.__cause__ or error.__context__
    broken_off = isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    if isinstance(cause, ssl.SSLError) and not broken_off:
        return refused(
            address,
            f"no TLS between us ({cause})",
            "Check mqtt.broker.host and mqtt.broker.tls.ca against the broker's certificate, and ours (cert, key) "
            "against what it asks for.",
        )
    if isinstance(cause, TimeoutError):
        return away(address, "it does not answer (one that speaks only MQTT 3.1.1 may keep silent: see its version)")
    return away(address, str(error) or type(error).__name__)
