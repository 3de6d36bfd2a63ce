"""Notation with a `Game`: moves, positions, records, scenarios and saved games as text."""
