"""Assistance for clients, on the server and in the terminal: the decision with its prompts and labels, drafts of a
move, defaults, a forecast of a fight, automatic passes."""
