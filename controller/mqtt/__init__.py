"""MQTT: the journal's events to the broker, commands from it.

publishers               one publisher for each broker
publisher                reads the journal and publishes it to one broker, in order
receipts                 what stores confirm, compared with the journal
envelope                 an event of the journal as a message
device_alarm_documents   the retained documents of devices and alarms
retained                 the retained topics, each after the events that led to it
flight                   what is sent and not yet acknowledged
link                     one connection: aiomqtt, and what it lacks; credentials: its key and password
client_arguments         what every connection is made with
monitor                  the connection of a program that only reads
problems                 why events do not reach the broker, for people
answers                  answers that wait for the broker, at most 512
command_gate             commands: checked, done at most once, answered
rate_limit               how often a client may ask, and how often that is logged

The messages themselves are in `controller.contract`. It may import `recorder`, `contract`, `operator`, `config`.
"""

from controller.config.broker import MqttSettings, Tls
from controller.contract.topics import Topics
from controller.mqtt.problems import BrokerAway, BrokerProblem, BrokerRefused
from controller.mqtt.publisher import Publisher
from controller.mqtt.publishers import Publishers

__all__ = ["BrokerAway", "BrokerProblem", "BrokerRefused", "MqttSettings", "Publisher", "Publishers", "Tls", "Topics"]
