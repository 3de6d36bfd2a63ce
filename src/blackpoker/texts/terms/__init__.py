"""The words of the game, one for each thing, in both languages; what is written instead is a slip (tests/unit/test_terms.py).

``terms.toml``: ``ja`` and ``en`` are the words, ``not_ja`` and ``not_en`` regular expressions of what stands for them
nowhere in a text a player reads, ``but`` what such an expression would find and is meant. Where the official Japanese
rules have a word, it is ours."""
