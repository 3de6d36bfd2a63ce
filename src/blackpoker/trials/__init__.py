"""Trial games: what an edition does when it is played, found out before people do."""
