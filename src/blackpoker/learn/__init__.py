"""Lessons and puzzles as exercises: positions with a goal that the engine checks."""
