"""Accounts: names, devices, passkeys, and their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("player", sa.String(16), nullable=False, unique=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("crest", sa.String(4), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("renamed", sa.Float, nullable=False),
        sa.Column("muted", sa.Float, nullable=False),
        sa.Column("banned", sa.Float, nullable=False),
        sa.Column("code", sa.String(160), nullable=False),
        sa.Column("code_at", sa.Float, nullable=False),
        sa.Column("gone", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("accounts_by_change", "accounts", ["changed"])
    op.create_table(
        "owned_names",
        sa.Column("looks", sa.String(80), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_index("owned_names_by_account", "owned_names", ["account"])
    op.create_table(
        "devices",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(16), nullable=False, unique=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("devices_by_change", "devices", ["changed"])
    op.create_index("devices_by_account", "devices", ["account"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(400), primary_key=True),
        sa.Column("account", sa.String(24), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("signs", sa.Integer, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
    )
    op.create_index("passkeys_by_account", "passkeys", ["account"])
    op.create_table(
        "challenges",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(8), nullable=False),
        sa.Column("owner", sa.String(24), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("challenges_by_time", "challenges", ["until"])
    op.create_table(
        "keepsakes",
        sa.Column("account", sa.String(24), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "played",
        sa.Column("record", sa.String(24), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(16), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("played_by_player", "played", ["player", "at"])


def downgrade() -> None:
    for name in ("played", "keepsakes", "challenges", "passkeys", "devices", "owned_names", "accounts"):
        op.drop_table(name)
