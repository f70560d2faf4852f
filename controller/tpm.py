"""The counter in the board's TPM 2.0: a number that can only grow, and is on no disk.

It is an NV index of the type counter. Debian's tpm2-tools do the work, one short process for each step. A step that
takes longer than `STEP_S` is ended: nothing here waits for a TPM that hangs.

A counter cannot be set back, not even by clearing the TPM and making it anew: the TPM goes on from the highest number
that any of its counters ever had.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re

INDEX = 0x0180CC01
"""Of our counter, in the range that is the owner's."""
DEVICE = "device:/dev/tpmrm0"
"""How the TPM of a board is reached."""
STEP_S = 10.0
"""A TPM answers within a second, also when it is busy with something else."""
_END_S = 1.0

_INDEX = f"{INDEX:#010x}"
_ATTRIBUTES = "nt=counter|authread|authwrite|ownerread|no_da"
_ERROR = re.compile(r"\b0x0*(18b|14a)\b", re.IGNORECASE)
_NO_INDEX, _NEVER_COUNTED = "18b", "14a"
_TYPE = re.compile(r"attributes:.*?value: 0x([0-9a-f]+)", re.IGNORECASE | re.DOTALL)
_COUNTER_TYPE = 1


class TpmError(Exception):
    """The TPM, or the program that asks it, gave no answer that can be used: why, and what to do."""

    details = ""
    """What the program said, for the log."""


class NoCounter(TpmError):
    """The TPM answers, and has no counter of ours."""


class Tpm:
    """The counter of one TPM. `tcti`: how it is reached, as tpm2-tools write it."""

    def __init__(self, tcti: str) -> None:
        self._tcti = tcti

    async def read(self) -> int:
        """What it has counted to; 0: it was made and has never counted. `TpmError`."""
        try:
            data = await self._step("tpm2_nvread", "-C", _INDEX, "-s", "8", _INDEX)
        except _Failed as error:
            if error.code == _NO_INDEX:
                raise NoCounter("the TPM has no counter of this table; make it with `cutcard enroll --tpm`") from None
            if error.code == _NEVER_COUNTED:
                return 0
            raise
        value = int.from_bytes(data, "big")
        if len(data) != 8 or not 0 < value < 2**63:
            raise TpmError(f"what the TPM has at {_INDEX} is no counter: {data.hex() or 'nothing'}")
        return value

    async def increment(self) -> None:
        """Count one on. The first time it begins with one more than any counter of this TPM had. `TpmError`."""
        await self._step("tpm2_nvincrement", "-C", _INDEX, _INDEX)

    async def define(self) -> bool:
        """Make the counter; False where it is there already. `TpmError` where something else is in its place."""
        try:
            await self.read()
        except NoCounter:
            await self._step("tpm2_nvdefine", "-C", "o", "-s", "8", "-a", _ATTRIBUTES, _INDEX)
            return True
        found = _TYPE.search((await self._step("tpm2_nvreadpublic", _INDEX)).decode(errors="replace"))
        if found is None or int(found.group(1), 16) >> 4 & 0xF != _COUNTER_TYPE:
            raise TpmError(f"another program uses the index {_INDEX} of this TPM for something that is no counter")
        return False

    async def _step(self, tool: str, *arguments: str) -> bytes:
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                tool,
                *("-T", self._tcti),
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=pipe,
                stderr=pipe,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise TpmError(f"{tool} cannot be run: {error.strerror} (apt install tpm2-tools)") from None
        try:
            async with asyncio.timeout(STEP_S):
                out, said = await process.communicate()
        except TimeoutError:
            raise TpmError(f"the TPM at {self._tcti} did not answer {tool} within {STEP_S:g} seconds") from None
        finally:
            if process.returncode is None:
                await _end(process)
        if process.returncode:
            raise _Failed(f"{tool} cannot do its work with the TPM at {self._tcti}", said.decode(errors="replace"))
        return out


class _Failed(TpmError):
    def __init__(self, what: str, said: str) -> None:
        super().__init__(what)
        self.details = said.strip()
        found = _ERROR.search(said)
        self.code = found.group(1).lower() if found else ""


async def _end(process: asyncio.subprocess.Process) -> None:
    """Without waiting for one that hangs in the kernel."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END_S):
            await process.wait()
