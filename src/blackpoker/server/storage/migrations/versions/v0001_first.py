"""Rooms, entries, records, keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_index("rooms_by_phase", "rooms", ["phase", "updated"])
    op.create_table(
        "entries",
        sa.Column("room", sa.String(24), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("left1", sa.Float, nullable=False),
        sa.Column("left2", sa.Float, nullable=False),
        sa.Column("why", sa.String(12), nullable=False),
        sa.Column("stop", sa.String(12), nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("room", sa.String(24), nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("meta", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("records_by_time", "records", ["created"])
    op.create_table(
        "keys",
        sa.Column("name", sa.String(24), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for name in ("keys", "records", "entries", "rooms"):
        op.drop_table(name)
