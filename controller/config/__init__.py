"""The daemon's configuration: one TOML file, validated as a whole, every error told at once with its line.

fields       the sections and keys as types, with what is told about each
positions    on which line of a file each key stands
problems     an error, and how errors are told
judging      each value against its type
checks       what no single value shows; files: the files that it names
reading      from the file to `Config`
describing   the reference for the page, and how values are written in TOML
example      the commented example, and the first file of a new table
showing      `cutcard config show`: each value and where it comes from
finding      `cutcard config init`: which devices are connected
changing     what differs between two configurations, and when each difference counts
commands     `cutcard config` on the command line

Relative paths are reckoned from the file's own folder. docs/configuration.md is the page for those who write one.
"""

from controller.config.fields import (
    ChipConfig,
    Config,
    DeviceConfig,
    DisplayConfig,
    DropConfig,
    FirmwareConfig,
    JournalConfig,
    MqttConfig,
    ReportConfig,
    RulesConfig,
    TableConfig,
    WebConfig,
)
from controller.config.problems import ConfigError
from controller.config.reading import parse_config, read_config

__all__ = [
    "ChipConfig",
    "Config",
    "ConfigError",
    "DeviceConfig",
    "DisplayConfig",
    "DropConfig",
    "FirmwareConfig",
    "JournalConfig",
    "MqttConfig",
    "ReportConfig",
    "RulesConfig",
    "TableConfig",
    "WebConfig",
    "parse_config",
    "read_config",
]
