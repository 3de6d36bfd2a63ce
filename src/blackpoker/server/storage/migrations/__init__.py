"""Migrations of the tables, oldest first; the server runs them at its start."""
