"""All of the books for one scope: what a page shows, and what the forms print."""

from __future__ import annotations

from sqlalchemy import Connection

from floor.books import boxes, house, play, sums
from floor.books.house import Staff
from floor.books.lines import Books, SumLine
from floor.books.scope import Scope
from floor.books.watch import watch
from floor.config import FloorConfig


def books(connection: Connection, scope: Scope, config: FloorConfig, staff: list[Staff] | None = None) -> Books:
    """One view of the store: call it within `reading`, so that all parts are of the same moment."""
    tables = sums.sums(connection, scope, "table_name")
    days = sums.sums(connection, scope, "day") if scope.first != scope.last else []
    found = boxes.boxes(connection, scope, config.books)
    boxes.add_counts(tables, found)
    boxes.add_counts(days, found, by_day=True)
    sites = [sums.added([line for line in tables if line.site == site], site, "") for site in scope.sites]
    is_house = not scope.game and scope.dealer is None
    return Books(
        scope=scope,
        not_whole=house.not_whole(connection, scope),
        total=sums.added(sites, "", "") if sites else SumLine(),
        sites=sites,
        sections=sums.by_section(tables, config.sections) if config.sections else [],
        tables=tables,
        games=sums.sums(connection, scope, "ruleset"),
        dealers=sums.sums(connection, scope, "dealer"),
        days=days,
        pace=play.pace(connection, scope),
        differences=boxes.differences(found, tables, config.books),
        boxes=found,
        rounds=play.odd_rounds(connection, scope),
        decisions=house.decisions(connection, scope) if is_house else [],
        banks=play.banks(connection, scope),
        jackpots=play.jackpots(connection, scope) if is_house else [],
        alarms=house.alarms(connection, scope) if is_house else [],
        acts=house.acts(connection, scope) if is_house else [],
        access=house.access(connection, scope, staff, config.books.dormant_days, config.calendar) if is_house else [],
        devices=house.devices(connection, scope) if is_house else [],
        watch=watch(connection, scope, config.calendar, config.shifts, config.watch) if is_house else [],
    )
