"""An expectation that is written out when somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.engine.native import mypyc_attr

if TYPE_CHECKING:
    from controller.engine.expect.expectation import Expectation
    from controller.engine.inputs import Act


@mypyc_attr(allow_interpreted_subclasses=True)
class Deferred:
    """What a table waits for, told late: an act that is surely legal does not ask for it."""

    __slots__ = ()

    def admits(self, act: Act) -> bool:
        """Whether the act is surely legal; False says nothing."""
        raise NotImplementedError

    def told(self) -> Expectation:
        """The same value as long as nothing happens at the table."""
        raise NotImplementedError
