"""Count of the games a bot lost because it broke."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("bots", sa.Column("faults", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("bots", "faults")
