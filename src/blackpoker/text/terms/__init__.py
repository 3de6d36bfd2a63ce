"""The terminology of the game in both languages, and its synonyms.

``terms.toml``: ``ja`` and ``en`` are the terms. ``not_ja`` and ``not_en`` are regular expressions of words that no text
for players may use instead (tests/unit/test_terms.py), ``but`` lists exceptions that they would match. Official
Japanese terms are kept. ``said.toml`` has the synonyms for the search.
"""
