"""When a tournament is due, and from where it was opened."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("due", sa.Float, nullable=False, server_default="0"))
    op.add_column("tournaments", sa.Column("origin", sa.String(16), nullable=False, server_default=""))
    op.create_index("tournaments_by_due", "tournaments", ["phase", "due"])


def downgrade() -> None:
    op.drop_index("tournaments_by_due", "tournaments")
    op.drop_column("tournaments", "origin")
    op.drop_column("tournaments", "due")
