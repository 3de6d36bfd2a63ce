"""Short version of the soak's round trips."""

import pytest

from tests.properties.round_trips import round_trip_game


@pytest.mark.parametrize("format", ["lite", "standard", "pro", "master", "extra"])
def test_round_trips_and_secrecy_at_every_decision(format: str) -> None:
    for seed in range(8):
        round_trip_game(f"{format}+full", seed)


def test_with_pack_and_preset() -> None:
    for seed in range(4):
        round_trip_game("master+random40+preset2+pack", seed)
