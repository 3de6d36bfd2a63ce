"""``python -m blackpoker``: the command line."""

from blackpoker.cli import main

main()
