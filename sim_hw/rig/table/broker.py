"""A broker on a port of loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

from sim_hw.rig.table.process import START_S, TableError, free_port, stop_process, tail


class Broker:
    """A broker on a port of loopback: Mosquitto where the machine has one, else the demo's embedded one."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
        self._mosquitto = shutil.which("mosquitto", path=path)

    @property
    def version(self) -> str:
        """Of MQTT, for the daemon's config."""
        return "5" if self._mosquitto else "3.1.1"

    async def start(self) -> None:
        """Returns when it takes connections."""
        if self._process is not None and self._process.returncode is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        log = self._folder / "broker.log"
        if self._mosquitto:
            config = self._folder / "mosquitto.conf"
            config.write_text(
                f"listener {self.port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n"
                # What a subscriber has not received survives a restart.
                f"persistence true\npersistence_location {self._folder}/\nlog_dest stderr\n"
                + ("user root\n" if os.getuid() == 0 else "")
            )
            command = [self._mosquitto, "-c", str(config)]
        else:
            command = [sys.executable, "-m", "controller.demo.broker", "--port", str(self.port)]
        with log.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(*command, stdout=errors, stderr=errors)
        async with asyncio.timeout(START_S):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    return
                except OSError:
                    if self._process.returncode is not None:
                        raise TableError(f"the broker ended by itself: {tail(log)}") from None
                    await asyncio.sleep(0.01)

    async def stop(self) -> None:
        await stop_process(self._process)
