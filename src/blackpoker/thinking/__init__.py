"""On the engine itself, compiled and translated with it: worlds, heuristics, value, search."""
