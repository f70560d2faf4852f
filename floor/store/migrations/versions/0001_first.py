"""Where the migrations begin.

An empty database is made from `floor.store.schema` and marked with the newest revision; it runs no migration. Each
later change of the schema gets a revision of its own here, which writes out what it changes, for databases that exist.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

revision = "0001"
down_revision = None


def upgrade() -> None:
    raise RuntimeError("an empty database is made from the schema: use `cutcard floor migrate`")


def downgrade() -> None:
    raise RuntimeError("the first tables have none before them; drop the database instead")
