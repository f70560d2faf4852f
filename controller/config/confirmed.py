"""What the house of a table has confirmed: its readings beside the confirmations in its data folder."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from controller.board_key import BoardKey
from controller.config.fields import Config
from controller.rules import ENGINE_DIGITS, load
from controller.rules.confirmations import FILE, Confirmations, read_confirmations
from controller.rules.readings import Reading, readings_of

COMMAND = "cutcard rules confirm"


class TableReadings(Struct, frozen=True):
    """The readings that a configuration's table is dealt by, and what counts of their confirmations."""

    readings: tuple[Reading, ...]
    confirmations: Confirmations

    @property
    def unconfirmed(self) -> list[Reading]:
        return self.confirmations.open_of(self.readings)

    def problem(self, config: Path | None = None) -> str:
        """Which readings are open and what to run, in a sentence; empty where all are confirmed."""
        left = self.unconfirmed
        if not left:
            return ""
        names = ", ".join(
            f"{reading.name} (changed)" if self.confirmations.earlier(reading) is not None else reading.name
            for reading in left
        )
        command = COMMAND if config is None else f"{COMMAND} --config {config}"
        return f"{len(left)} of {len(self.readings)} not confirmed: {names}. Run `{command}`."


def table_readings(config: Config, data: Path) -> TableReadings:
    """`UserError` where the board's own key cannot be used. `data`: the table's data folder."""
    own = BoardKey.load(data) if data.exists() else None
    keys = [*config.rules.confirmation_keys, *([own.public] if own is not None else [])]
    return TableReadings(
        readings_of(load(config.rules.ruleset), config.rules.options),
        read_confirmations(data / FILE, config.site, keys),
    )


def engine_digests(confirmations: Confirmations) -> tuple[str, ...]:
    """As the engine takes them."""
    return tuple(sorted({digest[:ENGINE_DIGITS] for digest in confirmations.digests}))
