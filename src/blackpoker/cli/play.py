"""``blackpoker play``"""


def play() -> None:
    pass
