"""What the options of all ante games share."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Payoff = Annotated[str, Meta(pattern=r"^[1-9]\d*:[1-9]\d*$")]
