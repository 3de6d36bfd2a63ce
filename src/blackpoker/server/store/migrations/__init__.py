"""Changes of the tables, oldest first; the server runs them by itself."""
