"""What a client shows and does for the person at it, on the server and in the terminal alike: the decision with its
prompts and labels, drafts of a sentence, defaults, a forecast of a fight, automatic passes."""
