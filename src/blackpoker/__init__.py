"""BlackPoker, the card game played with ordinary playing cards: rules engine, notation, command line.

A fan-made, unofficial, non-profit implementation (非公式・ファンメイド). BlackPoker and its rules are
the work of its authors; every rule here is stated in our own words.
"""

from blackpoker import _build

if _build.PURE:  # before any other module of the package is imported
    _build.install_pure_finder()

__version__ = "0.1.0"
