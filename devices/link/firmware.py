"""One update of one device, over all the sessions that it takes.

A `Transfer` is a state machine without I/O: at the beginning of a session it gets the state of the device, it returns
the next command, and it gets the answer. It keeps no position of its own: it continues from what the device reports
that it has. So a pulled cable, a power cut at either end and a restarted daemon are all the same to it.

    begin ─► chunk, chunk, … ─► verify ─► activate ─► (restart) ─► confirm ─► done

A new image that did not come up, so that the device went back to the old one, is tried once more: it may have been the
power. Then the update has failed, with the old image running.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Literal

from devices.link.authentication import Planned
from protocols.errors import ProtocolError
from protocols.firmware.image import Image
from protocols.firmware.messages import (
    Command,
    FirmwareRequest,
    FirmwareState,
    Outcome,
    Refusal,
    UpdateActivate,
    UpdateActivating,
    UpdateBegin,
    UpdateBegun,
    UpdateChunk,
    UpdateConfirm,
    UpdateConfirmed,
    UpdateHave,
    UpdateVerified,
    UpdateVerify,
)
from protocols.values import Value

TRIALS = 2
SLOW_ANSWER_WITHIN = 30.0
"""Erasing a slot and hashing an image take a microcontroller their time."""
ASK_AGAIN_AFTER = 1.0
"""A device that is busy now may not be in a second."""
STUCK = 3
"""Chunks in a row that did not bring the device any further: it does not keep what it gets."""

Stage = Literal["waiting", "sending", "verifying", "activating", "restarting", "confirming", "done", "failed"]

_WHY: dict[Refusal, str] = {
    "not proved": "it wants the controller to prove itself, and does not believe it",
    "other update": "it has another update under way",
    "gap": "it misses a part of the image",
    "no room": "the image is larger than it has room for",
    "no image": "what it got is no image",
    "other device": "the image is for another model",
    "other hardware": "the image is for another revision of the board",
    "unknown signer": "it does not know the key that the image is signed with",
    "bad signature": "the image's signature is not good",
    "rolled back": "the image's security number is lower than that of an image it ran before",
    "bad digest": "the image did not arrive as it was sent",
    "not verified": "it has not verified the image",
    "in trial": "it is trying out another image",
    "busy": "it is busy",
}


class UpdateFailed(Exception):
    """Why an update came to nothing, in a clause. The device runs the image it ran before, whole."""


class Progress(Value):
    stage: Stage
    have: int
    size: int


class Transfer:
    """An image on its way into a device."""

    def __init__(self, image: Image, *, running: str) -> None:
        """`running`: the version that the device has now."""
        self.image = image
        self._update, self._size = image.id, len(image.data)
        self._versions = frozenset((running, image.manifest.version))
        self._next: FirmwareRequest | Command | None = FirmwareRequest()
        self._chunk = 0
        self._activated = False
        self._reverts = 0
        self._stuck = 0
        self._may_retry_digest = True
        self._failure: str | None = None
        self._progress = Progress("waiting", 0, self._size)
        self._news = asyncio.Event()
        self.not_before = 0.0
        """The loop's time before which the next command should not be sent."""

    @property
    def progress(self) -> Progress:
        return self._progress

    @property
    def is_over(self) -> bool:
        return self._progress.stage in ("done", "failed")

    @property
    def planned(self) -> Planned | None:
        """What the device may do with this update under way that it may not do else."""
        return None if self.is_over else Planned(self._versions, restarts=self._activated)

    @property
    def command(self) -> FirmwareRequest | Command | None:
        """The command to send now."""
        return None if self.is_over else self._next

    @property
    def patience(self) -> float | None:
        """Seconds for the answer, where it needs more than usual."""
        return SLOW_ANSWER_WITHIN if isinstance(self._next, UpdateBegin | UpdateVerify) else None

    async def changes(self) -> AsyncIterator[Progress]:
        """The progress now and at each change, until it is over; what a slow reader missed is not kept."""
        while True:
            self._news.clear()
            now = self._progress
            yield now
            if self.is_over:
                return
            if now == self._progress:
                await self._news.wait()

    def result(self) -> None:
        """`UpdateFailed` if it has failed."""
        if self._failure is not None:
            raise UpdateFailed(self._failure)

    def state_is(self, state: FirmwareState, firmware: str) -> None:
        """The device's state, at the beginning of a session and when it was asked; and the firmware that it runs."""
        if self.is_over:
            return
        self._chunk, self._stuck = state.chunk, 0
        mine = state.update == self._update
        version = self.image.manifest.version
        if state.image == self._update and firmware != version:
            self.fail(f"the new image calls itself {firmware} and should be {version}")
        elif state.image == self._update and state.phase == "trial":
            self._go("confirming", UpdateConfirm(update=self._update))
        elif state.image == self._update:
            self._finish()
        elif state.phase == "trial":
            self.fail("it is trying out another image")
        elif mine and state.phase == "verified":
            self._go("activating", UpdateActivate(update=self._update))
        elif mine and state.phase == "reverted":
            self._reverted()
        else:
            self._go("sending", UpdateBegin(update=self._update, size=self._size))

    def answered(self, answer: Outcome, now: float) -> None:
        """The answer to `command`; `ProtocolError` when it cannot be one. `now`: the loop's time."""
        asked = self._next
        if getattr(asked, "update", None) != answer.update:
            raise ProtocolError(f"a {type(answer).__name__} about another update came")
        match asked, answer:
            case UpdateBegin(), UpdateBegun(have=have, refused=refused):
                self._has(have, refused)
            case UpdateChunk(), UpdateHave(have=have, refused=refused):
                self._has(have, refused)
            case UpdateVerify(), UpdateVerified(refused=refused):
                self._verified(refused)
            case UpdateActivate(), UpdateActivating(refused=refused):
                self._activates(refused, now)
            case UpdateConfirm(), UpdateConfirmed(refused=None):
                self._finish()
            case UpdateConfirm(), UpdateConfirmed(refused=refused):
                self._refused(refused)
            case _:
                raise ProtocolError(f"a {type(answer).__name__} does not answer a {type(asked).__name__}")

    def gone(self) -> None:
        """The session is over; the next one begins with `state_is`."""
        if not self.is_over:
            self._go("restarting" if self._progress.stage == "restarting" else "waiting", None)

    def fail(self, why: str) -> None:
        """Give the update up."""
        if not self.is_over:
            self._failure = why
            self._go("failed", None)

    def _has(self, have: int, refused: Refusal | None) -> None:
        if refused is not None and refused != "gap":
            self._refused(refused)
            return
        if have > self._size:
            raise ProtocolError(f"the device has {have} bytes of an image of {self._size}")
        self._stuck = 0 if have > self._progress.have else self._stuck + 1
        if self._stuck > STUCK:
            self.fail("it does not keep what it is sent")
        elif have == self._size:
            self._go("verifying", UpdateVerify(update=self._update), have)
        else:
            data = self.image.data[have : have + self._chunk]
            self._go("sending", UpdateChunk(update=self._update, offset=have, data=data), have)

    def _verified(self, refused: Refusal | None) -> None:
        if refused == "bad digest" and self._may_retry_digest:
            self._may_retry_digest = False
            self._stuck = 0
            self._go("sending", UpdateBegin(update=self._update, size=self._size), 0)
        elif refused is not None:
            self._refused(refused)
        else:
            self._go("activating", UpdateActivate(update=self._update), self._size)

    def _activates(self, refused: Refusal | None, now: float) -> None:
        if refused == "busy":
            self.not_before = now + ASK_AGAIN_AFTER
        elif refused is not None:
            self._refused(refused)
        else:
            self._go("restarting", None)

    def _reverted(self) -> None:
        # What an earlier attempt left behind is no verdict on this one.
        self._reverts += self._activated
        if self._reverts >= TRIALS:
            self.fail("the new image did not come up, and the old one runs again")
        else:
            self._go("activating", UpdateActivate(update=self._update), self._size)

    def _finish(self) -> None:
        self._go("done", None, self._size)

    def _refused(self, refused: Refusal | None) -> None:
        self.fail("it gave no reason" if refused is None else _WHY[refused])

    def _go(self, stage: Stage, following: Command | None, have: int | None = None) -> None:
        self._next = following
        # From here on the device may restart, also if its answer never reaches us.
        self._activated |= isinstance(following, UpdateActivate)
        self._progress = Progress(stage, self._progress.have if have is None else have, self._size)
        self._news.set()
