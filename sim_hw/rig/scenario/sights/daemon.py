"""The page, the log and the journal of the daemon."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

from sim_hw.devices.kinds import Wrong
from sim_hw.rig.scenario.matching import differences, fits
from sim_hw.rig.scenario.sights.sight import LISTED, Sight

if TYPE_CHECKING:
    from sim_hw.rig.scenario.stage import Stage


class ScreenSight(Sight):
    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        self._daemon, self._expected = stage.daemon, how
        self._last: dict[str, Any] = {}

    def holds(self) -> bool:
        return fits(self._expected, self._last)

    def _look(self, shown: dict[str, Any]) -> bool:
        self._last = shown
        return self.holds()

    async def wait(self) -> None:
        await self._daemon.screens(self._look)

    def seen(self) -> str:
        return f"{self._last.get('phase')}: {self._last.get('prompt')}"

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self._last)) + f". The page shows {self.seen()}"


class LogSight(Sight):
    """A text in the daemon's log."""

    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        self._log, self._text = stage.daemon.log, str(how.get("text", ""))

    def holds(self) -> bool:
        return self._text in self._log.read_text(errors="replace")

    async def wait(self) -> None:
        while not self.holds():  # noqa: ASYNC110  # a file has no event to wait for
            await asyncio.sleep(0.02)

    def seen(self) -> str:
        return next(line for line in self._log.read_text(errors="replace").split("\n") if self._text in line)

    def instead(self) -> str:
        return "\n    ".join(self._log.read_text(errors="replace").split("\n")[-LISTED:])


class VerifySight(Sight):
    """`cutcard verify` on the journal passes."""

    def __init__(self, stage: Stage) -> None:
        self._daemon = stage.daemon
        self._output = ""

    def holds(self) -> bool:
        return bool(self._output)

    async def wait(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "controller.cli", "verify", str(self._daemon.data / "journal.db")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        self._output = out.decode(errors="replace").strip()
        if process.returncode:
            raise Wrong(f"the journal does not verify: {self._output}")

    def seen(self) -> str:
        return self._output.split("\n")[-1]

    def instead(self) -> str:
        return self._output
