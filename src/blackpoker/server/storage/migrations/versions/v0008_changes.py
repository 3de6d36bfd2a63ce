"""Numbers of changes in the order of their commits, instead of wall time."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("owned_names", sa.Column("changed", sa.Float, nullable=False, server_default="0"))
    op.execute("UPDATE owned_names SET changed = since")
    op.create_index("owned_names_by_change", "owned_names", ["changed"])
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(24), primary_key=True),
        sa.Column("value", sa.Float, nullable=False),
    )
    connection = op.get_bind()
    last = 0.0  # the times of earlier versions: later changes have larger numbers
    for table in ("accounts", "owned_names", "devices", "unheard"):
        found = connection.execute(sa.text(f"SELECT max(changed) FROM {table}")).scalar()
        last = max(last, float(found or 0.0))
    op.bulk_insert(counters, [{"name": "changes", "value": float(int(last) + 1) if last else 0.0}])


def downgrade() -> None:
    op.drop_table("counters")
    op.drop_index("owned_names_by_change", "owned_names")
    op.drop_column("owned_names", "changed")
