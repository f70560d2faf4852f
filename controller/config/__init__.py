"""The daemon's configuration: one TOML file, validated as a whole, every error reported at once with its line.

fields       the sections and keys as types, with the text about each
positions    the line of each key in a file
problems     an error, and how errors are printed
judging      each value against its type
checks       what no single value shows; files: the files that it names
reading      from the file to `Config`
describing   the reference for the page, and how values are written in TOML
example      the commented example, and the first file of a new table
show         `cutcard config show`: each value and where it comes from
finding      `cutcard config init`: which devices are connected
page_address where other machines reach the page
confirmed    the readings of a table beside what its house has confirmed
changing     what differs between two configurations, and when each difference takes effect

Relative paths start at the file's own folder. docs/operations/configuration.md is the page for those who write one.
"""

from controller.config.fields import (
    Config,
    DeviceConfig,
    DropConfig,
    FirmwareConfig,
    JournalConfig,
    ReportConfig,
    RulesConfig,
    WebConfig,
)
from controller.config.problems import ConfigError
from controller.config.reading import parse_config, read_config

__all__ = [
    "Config",
    "ConfigError",
    "DeviceConfig",
    "DropConfig",
    "FirmwareConfig",
    "JournalConfig",
    "ReportConfig",
    "RulesConfig",
    "WebConfig",
    "parse_config",
    "read_config",
]
