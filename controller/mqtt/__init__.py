"""MQTT: what the cardroom hears of a table.

settings    where the broker is, and who we are to it
topics      the topics of one table
messages    what a table publishes, as values
requests    commands: what may be asked, and what is answered, as values
publisher   reads the journal and publishes it, in order, for ever
documents   the retained documents of devices and alarms
flight      what is sent and not yet acknowledged
retained    the retained topics, each after the events that led to it
link        one connection: aiomqtt, and what it lacks
problems    why events do not reach the broker, for people
schema      `python -m controller.contract.schema`: JSON Schema and (asyncapi) AsyncAPI from the same types

docs/mqtt/README.md is the contract, for those who build on it. Commands come in at `controller.mqtt.command_gate`.
"""

from controller.config.broker import MqttSettings, Tls
from controller.contract.topics import Topics
from controller.mqtt.problems import BrokerAway, BrokerProblem, BrokerRefused
from controller.mqtt.publisher import Publisher

__all__ = ["BrokerAway", "BrokerProblem", "BrokerRefused", "MqttSettings", "Publisher", "Tls", "Topics"]
