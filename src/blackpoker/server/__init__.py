"""The server: rooms, hidden information, durability, auto-pass."""
