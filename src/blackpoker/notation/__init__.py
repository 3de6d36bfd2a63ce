"""Notation without a `Game`: options as tokens, tokens as moves, refusals of tokens, the state as text."""
