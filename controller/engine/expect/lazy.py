"""An expectation that is built on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.engine.native import mypyc_attr

if TYPE_CHECKING:
    from controller.engine.expect.expectation import Expectation
    from controller.engine.inputs import Act


@mypyc_attr(allow_interpreted_subclasses=True)
class LazyExpectation:
    """What a table waits for, built on demand: an act that `admits` accepts needs no expectation at all."""

    __slots__ = ()

    def admits(self, act: Act) -> bool:
        """Whether the act is certainly legal; False means nothing."""
        raise NotImplementedError

    def build(self) -> Expectation:
        """The same value as long as nothing happens at the table."""
        raise NotImplementedError


def built(waiting: Expectation | LazyExpectation) -> Expectation:
    return waiting.build() if isinstance(waiting, LazyExpectation) else waiting
