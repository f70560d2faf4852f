"""What a room may choose about Pai Gow Tiles."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine, behind
from controller.engine.bets.wagers import WagerRule
from controller.engine.fees.schedule import Moment, Schedule
from controller.games.pai_gow_tiles.house_way import TilesHouseWay, TilesHouseWayData
from controller.games.pai_gow_tiles.tiles import TileNames, TileRanking


class TileOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    gee_joon_semi_wild: bool
    coverage: Literal["single_use"] = "single_use"
    schedule: Schedule | None
    back_line: BackLine = BackLine()
    base_wager: str
    """What the sheet calls the wager on the two hands."""
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    circles: int | None = None
    """Betting circles of a seat; absent: the text states no number."""
    step: Annotated[int, Meta(ge=1)] = 1
    deal: Literal["rows", "stacks"]
    """Rows of four to the seats in order, or stacks of which the dice point at the first."""
    wagers_until: Literal["deal", "cup"] = "deal"
    """Until the first tile, or until the dice cup is opened."""
    names: TileNames
    """The room's names of the tiles and of the kinds of pairs."""
    house_way: TilesHouseWayData | None = None
    stack_of_four: bool = False
    """Without a chart a player may leave his tiles in a stack of four: the dealer sets them after the player-dealer."""
    tells_no_action: bool = False
    """A seat whose turn came after the cover was used up has the outcome `no_action`."""
    rulings: dict[str, bool] = {}
    """Happenings that the room rules."""
    unruled: str = ""
    """The room's word for what its text does not rule, where it has one."""

    @property
    def bets_stay_open(self) -> bool:
        """Whether wagers are taken while the tiles are stacked; not where the fees are taken before."""
        return self.wagers_until == "cup" and not self.takes_fees("before_deal")

    def takes_fees(self, at: Moment) -> bool:
        """Whether the posted schedule takes a fee at this moment."""
        return self.schedule is not None and self.schedule.takes_at(at)

    @cached_property
    def ranking(self) -> TileRanking:
        return TileRanking(self.names, semi_wild=self.gee_joon_semi_wild)

    @cached_property
    def wagers(self) -> tuple[WagerRule, ...]:
        return behind((self._main_wager,), self.back_line)

    @property
    def _main_wager(self) -> WagerRule:
        schedule = self.schedule
        if schedule is None or not schedule.limits_bind:
            return WagerRule(self.base_wager, "Pai Gow Tiles", step=self.step, spots=self.circles)
        # A schedule whose limits bind posts steps and the limit of a position too (calgrand, 3307, 3312).
        return WagerRule(
            self.base_wager,
            "Pai Gow Tiles",
            step=schedule.wager_step,
            off_step=tuple(schedule.off_step),
            step_code="not_a_multiple_of_5_dollars",
            position_max=schedule.house.position_limit,
            spots=self.circles,
        )

    @cached_property
    def setter(self) -> TilesHouseWay | None:
        return None if self.house_way is None else TilesHouseWay(self.house_way, self.ranking)
