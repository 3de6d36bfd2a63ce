"""Pictures of the page: of every screen with the faults on them, and those of the README."""
