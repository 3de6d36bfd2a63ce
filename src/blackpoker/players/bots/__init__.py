"""Bots: external players, each in its own process with time and memory limits.

``bot_names`` parses the name of a bot (``mybot.py:Bot``, ``exec:"node bot.js"``), ``process`` starts and stops it,
``resource_limits`` is the supervisor program in between, ``protocol.bot`` defines the messages, ``player`` is the bot
as a player, ``worker`` is the process of a bot that is a Python class. docs/guide/bots.md is the guide for authors.
"""
