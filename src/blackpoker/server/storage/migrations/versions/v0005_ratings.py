"""Ratings of players, seasons, trumps and actions of games; muted players and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rated",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("record", sa.String(24), nullable=False, unique=True),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("p1", sa.String(16), nullable=False),
        sa.Column("p2", sa.String(16), nullable=False),
        sa.Column("winner", sa.String(4), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("mu1", sa.Float, nullable=False),
        sa.Column("sigma1", sa.Float, nullable=False),
        sa.Column("mu2", sa.Float, nullable=False),
        sa.Column("sigma2", sa.Float, nullable=False),
    )
    op.create_index("rated_by_p1", "rated", ["p1", "number"])
    op.create_index("rated_by_p2", "rated", ["p2", "number"])
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(16), primary_key=True),
        sa.Column("format", sa.String(16), primary_key=True),
        sa.Column("season", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("longest", sa.Integer, nullable=False),
        sa.Column("played", sa.Float, nullable=False),
    )
    op.create_index("ratings_by_format", "ratings", ["format", "season"])
    op.create_table(
        "seasons",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ja", sa.String(40), nullable=False),
        sa.Column("en", sa.String(40), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    for column in (
        sa.Column("regulation", sa.String(120), nullable=False, server_default=""),
        sa.Column("result", sa.String(5), nullable=False, server_default=""),
        sa.Column("used", sa.Text, nullable=False, server_default=""),
    ):
        op.add_column("played", column)
    op.create_table(
        "unheard",
        sa.Column("owner", sa.String(24), primary_key=True),
        sa.Column("whom", sa.String(24), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("unheard_by_change", "unheard", ["changed"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("owner", sa.String(24), nullable=False),
        sa.Column("owner_name", sa.String(24), nullable=False),
        sa.Column("whom", sa.String(24), nullable=False),
        sa.Column("whom_name", sa.String(24), nullable=False),
        sa.Column("why", sa.String(16), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("room", sa.String(24), nullable=False),
        sa.Column("record", sa.String(24), nullable=False),
        sa.Column("heard", sa.Text, nullable=False),
        sa.Column("closed", sa.Float, nullable=False),
    )
    op.create_index("reports_by_time", "reports", ["closed", "at"])


def downgrade() -> None:
    for name in ("reports", "unheard", "seasons", "ratings", "rated"):
        op.drop_table(name)
    with op.batch_alter_table("played") as played:
        for column in ("used", "result", "regulation"):
            played.drop_column(column)
