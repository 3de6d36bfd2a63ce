"""Above the door: moves, positions, records, scenarios and saved games as text."""
