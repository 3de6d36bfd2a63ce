"""Tournaments and their events, in order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("listed", sa.Integer, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
    )
    op.create_index("tournaments_by_phase", "tournaments", ["phase", "updated"])
    op.create_table(
        "tournament_acts",
        sa.Column("tournament", sa.String(24), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("records_by_room", "records", ["room"])


def downgrade() -> None:
    op.drop_index("records_by_room", "records")
    for name in ("tournament_acts", "tournaments"):
        op.drop_table(name)
