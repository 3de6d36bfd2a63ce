"""Alembic environment: uses the connection that the server passes in."""

from __future__ import annotations

from alembic import context

from blackpoker.server.storage.schema import META

context.configure(connection=context.config.attributes["connection"], target_metadata=META)
with context.begin_transaction():
    context.run_migrations()
