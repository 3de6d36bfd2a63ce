"""``python -m blackpoker.cli``"""

from blackpoker.cli import main

main()
