"""The words of the game, one for each thing, in both languages, and what people say instead.

``terms.toml``: ``ja`` and ``en`` are the words, ``not_ja`` and ``not_en`` regular expressions of what stands for them
nowhere in a text a player reads (tests/unit/test_terms.py), ``but`` what such an expression would find and is meant.
Where the official Japanese rules have a word, it is ours. ``said.toml`` is for the search."""
