"""Texts: moves, positions, records, saved games, scenarios (docs/notation.md)."""
