"""Ratings of bots and their rated games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bots",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("played", sa.Float, nullable=False),
    )
    op.create_table(
        "bouts",
        sa.Column("record", sa.String(24), primary_key=True),
        sa.Column("p1", sa.String(16), nullable=False),
        sa.Column("p2", sa.String(16), nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("winner", sa.String(4), nullable=False),
        sa.Column("regulation", sa.String(120), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("bouts_by_p1", "bouts", ["p1", "at"])
    op.create_index("bouts_by_p2", "bouts", ["p2", "at"])


def downgrade() -> None:
    for name in ("bouts", "bots"):
        op.drop_table(name)
