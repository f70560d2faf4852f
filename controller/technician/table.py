"""The table that a command is about: its configuration, where there is one, and its daemon, where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from controller.config import Config, DeviceConfig, read_config
from controller.errors import UserError
from controller.paths import DEFAULT_CONFIG
from controller.technician.bench import data_folder, unfinished_round
from controller.technician.daemon import DaemonClient, DaemonError, find_daemon
from devices.spec import DeviceSpec


class Chosen(Struct, frozen=True, kw_only=True):
    """One device: of the config, or whatever is on a port."""

    spec: DeviceSpec
    in_config: bool


class ServedTable:
    """What there is to work with."""

    def __init__(self, config: Config | None, data: Path | None, daemon: DaemonClient | None) -> None:
        self.config = config
        self.daemon = daemon
        self._data = data

    @property
    def name(self) -> str:
        return "none" if self.config is None else f"{self.config.table} at {self.config.site}"

    @property
    def devices(self) -> Sequence[DeviceConfig]:
        return () if self.config is None else self.config.devices

    def choose(self, name: str, baud: int) -> Chosen:
        """A device by its id or its url; a url that is not in the config is taken for a device on the link."""
        for device in self.devices:
            if name in (device.id, device.url):
                return Chosen(spec=device.spec, in_config=True)
        if "/" in name:
            return Chosen(spec=DeviceSpec(id="device", kind="shoe", url=name, baud=baud), in_config=False)
        known = ", ".join(device.id for device in self.devices) or "none"
        raise UserError(
            f"There is no device {name!r} in the config; its devices are: {known}. Or name a port by its url."
        )

    @property
    def is_between_rounds(self) -> bool:
        """Whether no round is unfinished in the journal: what passes on a wire then names no card of one."""
        return self._data is None or unfinished_round(self._data / "journal.db") is None

    def expect_no_round(self, what: str) -> None:
        """`UserError` while the journal has an unfinished round."""
        number = None if self._data is None else unfinished_round(self._data / "journal.db")
        if number is not None:
            which = f"round {number} is unfinished" if number else "it is not known whether a round is unfinished"
            raise UserError(
                f"In the journal of this table {which}; {what} must wait. Start the daemon, finish or void the round, "
                "then try again."
            )


async def table_of(path: Path | None) -> ServedTable:
    """By this configuration, or by the usual one where there is one."""
    config_path = _config_path(path)
    if config_path is None:
        return ServedTable(None, None, None)
    config = read_config(config_path)
    data = data_folder(config_path, config)
    try:
        return ServedTable(config, data, await find_daemon(data))
    except DaemonError as error:
        raise UserError(str(error)) from None


def _config_path(path: Path | None) -> Path | None:
    if path is not None:
        return path
    return DEFAULT_CONFIG if DEFAULT_CONFIG.exists() else None
