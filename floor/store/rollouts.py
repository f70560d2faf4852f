"""Updates by a plan, in the store: what was planned, by whom, and what became of it at each table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import Engine, insert, select, update

from floor.store.database import reading
from floor.store.room_schema import ROLLOUT_TABLES, ROLLOUTS

MOST_SHOWN = 20


class PlannedTable(Struct, frozen=True):
    """One table of a plan. docs/floor/store.md has its states."""

    table: str
    state: str = "waiting"
    changes: str = ""
    text: str = ""
    at: int | None = None


class Rollout(Struct, frozen=True):
    """An update by a plan."""

    id: str
    at: int
    by: str
    what: str
    state: str
    reason: str
    tables: tuple[PlannedTable, ...]


class RolloutStore:
    """Of one site."""

    def __init__(self, engine: Engine, site: str) -> None:
        self._engine, self._site = engine, site

    def add(self, number: str, by: str, what: str, plan: str, tables: Sequence[str], *, at: int) -> None:
        with self._engine.begin() as connection:
            values = {"id": number, "site": self._site, "at": at, "by": by, "what": what, "plan": plan}
            connection.execute(insert(ROLLOUTS).values(**values, state="planned", reason=""))
            rows = [
                {"rollout": number, "table_name": name, "site": self._site, "position": position}
                | {"state": "waiting", "changes": "", "text": "", "at": None}
                for position, name in enumerate(tables)
            ]
            connection.execute(insert(ROLLOUT_TABLES), rows)

    def plan(self, number: str) -> str | None:
        """As it was signed."""
        r = ROLLOUTS.c
        with reading(self._engine) as connection:
            return connection.scalar(select(r.plan).where(r.id == number, r.site == self._site))

    def set_state(self, number: str, state: str, reason: str = "") -> None:
        with self._engine.begin() as connection:
            here = ROLLOUTS.c.id == number
            connection.execute(update(ROLLOUTS).where(here).values(state=state, reason=reason))

    def set_table(self, number: str, table: str, **values: object) -> None:
        t = ROLLOUT_TABLES.c
        with self._engine.begin() as connection:
            here = (t.rollout == number, t.table_name == table)
            connection.execute(update(ROLLOUT_TABLES).where(*here).values(**values))

    def interrupted(self, reason: str) -> None:
        """What ran when the page ended: a person decides whether it goes on."""
        r = ROLLOUTS.c
        with self._engine.begin() as connection:
            here = (r.site == self._site, r.state == "running")
            connection.execute(update(ROLLOUTS).where(*here).values(state="stopped", reason=reason))

    def last(self) -> list[Rollout]:
        """The newest first."""
        r, t = ROLLOUTS.c, ROLLOUT_TABLES.c
        with reading(self._engine) as connection:
            query = select(ROLLOUTS).where(r.site == self._site).order_by(r.at.desc()).limit(MOST_SHOWN)
            found = connection.execute(query).all()
            tables: dict[str, list[PlannedTable]] = {row.id: [] for row in found}
            rows = connection.execute(select(ROLLOUT_TABLES).where(t.rollout.in_(tables)).order_by(t.position))
            for row in rows:
                tables[row.rollout].append(PlannedTable(row.table_name, row.state, row.changes, row.text, row.at))
        return [Rollout(w.id, w.at, w.by, w.what, w.state, w.reason, tuple(tables[w.id])) for w in found]
