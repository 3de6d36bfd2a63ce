"""Messages between the server, its clients and bots."""
