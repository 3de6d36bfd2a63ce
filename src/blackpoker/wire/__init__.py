"""The messages, once: what the server, its clients and the bots tell each other."""
