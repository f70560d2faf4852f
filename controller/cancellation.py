"""A request to end that is not to be lost."""

from __future__ import annotations

import asyncio


def end_if_cancelled() -> None:
    """Raises `CancelledError` where this task was asked to end. A loop that connects again after every error calls it
    first: leaving a connection that is already broken raises an error of its own, which takes the place of the
    cancellation."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
