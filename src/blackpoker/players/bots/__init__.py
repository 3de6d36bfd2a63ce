"""Bots: players of anybody's making, each a process of its own with a limit of time and memory.

``names`` reads what a bot is called (``mybot.py:Bot``, ``exec:"node bot.js"``), ``process`` starts and stops it,
``leash`` is the small program between that holds it, ``words`` are the messages, ``player`` is the bot as a player,
``worker`` the process of a bot that is a Python class. docs/guide/bots.md tells how to write one.
"""
