"""AI modules compiled and translated together with the engine: determinization, heuristics, evaluation, search."""
