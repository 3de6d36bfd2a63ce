"""School: lessons and puzzles as exercises, positions of the engine with a goal the engine checks."""
