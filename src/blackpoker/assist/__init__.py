"""What a table does for the person at it, on the server and in the terminal: it passes where nothing can be done."""
