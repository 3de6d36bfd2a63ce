"""The server: rooms, secrecy, durability, auto-pass."""
