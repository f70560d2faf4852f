"""Alembic runs this for each command; `floor.store.database.migrate` hands it the connection."""

from __future__ import annotations

from alembic import context

from floor.store.room_schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
