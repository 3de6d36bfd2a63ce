"""Every attack that was demonstrated on 0b24fb11 has a test (or an experiment of ``tests.long``) of its own.

``tests.long.attacks`` runs nine of them from outside, also against another checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[1]
FAIR: Final = "test_dishonest_server"
#: cheats of a dishonest server: number, what it does, its test. A1 to A18 are those that were named; A19 to A22 follow
#: from their neighbours
CHEATS: Final = {
    "A1": ("rewriting notes by a whole update", FAIR, "test_notes_are_not_rewritten_by_a_whole_update"),
    "A2": ("dealing again under a raised game number", FAIR, "test_every_deal_counts[a raised number]"),
    "A3": ("dealing again under another room id", FAIR, "test_every_deal_counts[another room]"),
    "A4": ("choosing a friend's pile for a shuffle", FAIR, "test_the_shuffle_of_a_pile_belongs_to_its_seat"),
    "A5": ("a page that sets the salt to zeros", FAIR, "test_a_salt_that_is_not_random_proves_nothing"),
    "A6": ("reversing a resignation", FAIR, "test_a_resignation_cannot_be_reversed"),
    "A7": ("a result in the middle of the game", FAIR, "test_a_result_does_not_end_the_notes"),
    "A8": ("two commitments", FAIR, "test_two_commitments_are_visible"),
    "A9": ("taking moves back silently", FAIR, "test_a_silent_take_back_is_an_alarm"),
    "A10": ("no reveal step", FAIR, "test_a_game_without_a_reveal_is_an_alarm"),
    "A11": ("another start of the room", FAIR, "test_the_start_cannot_be_renamed"),
    "A12": ("leaving out the events of shuffles", FAIR, "test_no_event_can_be_left_out[shuffled]"),
    "A13": ("skipping good cards", FAIR, "test_drawn_cards_cannot_skip_good_ones"),
    "A14": ("inventing small shuffles before the deal", FAIR, "test_small_shuffles_cannot_be_invented"),
    "A15": ("a stacked deck of the computer", FAIR, "test_a_stacked_deck_of_the_computer"),
    "A16": ("claiming practice in every update", FAIR, "test_practice_does_not_end_the_notes"),
    "A17": ("withholding the record", FAIR, "test_a_withheld_record_proves_nothing"),
    "A18": ("opening a salt for a second commitment", FAIR, "test_a_salt_is_not_opened_for_a_second_commitment"),
    "A19": ("replacing the other player's cards", FAIR, "test_the_cards_of_the_other_player_cannot_be_replaced"),
    "A20": ("two records of one game", FAIR, "test_two_records_are_visible"),
    "A21": ("so many deals that the evidence rolls off", FAIR, "test_evidence_does_not_roll_off"),
    "A22": ("choosing the computer's moves with all cards in view", FAIR, "test_the_computer_makes_its_own_moves"),
}
ADMISSION: Final = "test_admission"
IDENTITY: Final = "test_identity"
UNBLOCKED: Final = "test_unblocked_tournaments"
RATINGS: Final = "test_ratings"
#: attacks of hostile clients, in the order in which they were demonstrated
ATTACKS: Final = {
    "frames on the feed of a tournament": (ADMISSION, "test_a_follower_that_sends_is_closed"),
    "a cache keyed by invented names": (ADMISSION, "test_no_cache_grows_with_what_clients_invent"),
    "standings once per table": (ADMISSION, "test_standings_are_computed_once_for_all_tables"),
    "records full of comments": (ADMISSION, "test_an_imported_record_is_stored_without_what_means_nothing"),
    "parallel hashes and replays": (ADMISSION, "test_jobs_run_in_turn_and_are_charged_before_they_wait"),
    "limits that count for each process": (ADMISSION, "test_two_processes_have_one_quota"),
    "empty rooms in the lobby": (ADMISSION, "test_empty_rooms_do_not_hide_a_live_one"),
    "tournaments of few addresses": (ADMISSION, "test_tournaments_of_few_addresses_do_not_bury_the_others"),
    "reports of few addresses": (ADMISSION, "test_reports_of_few_addresses_do_not_bury_the_others"),
    "leaving and entering in a loop": (ADMISSION, "test_leaving_and_entering_in_a_loop_is_limited"),
    "thousands of open tournaments": (ADMISSION, "test_open_tournaments_cost_nothing_while_they_wait"),
    "accounts with names that look alike": (IDENTITY, "test_three_accounts_are_not_called_alike"),
    "a guest with an account's name": (IDENTITY, "test_a_guest_has_no_accounts_name_on_any_surface"),
    "five names at once": (IDENTITY, "test_parallel_renames_give_one_name"),
    "a banned account that acts": (IDENTITY, "test_a_banned_account_does_nothing"),
    "an offender who renames back": (IDENTITY, "test_a_renamed_offender_stays_marked"),
    "what a deletion leaves": (IDENTITY, "test_export_is_complete_and_deletion_leaves_no_name"),
    "a deletion that stops writes": (IDENTITY, "test_deletion_writes_in_batches"),
    "games resigned before any move": (RATINGS, "test_games_that_are_not_rated"),
    "one pair again and again": (RATINGS, "test_a_pair_is_rated_three_times_a_day"),
    "accomplices on a break": (RATINGS, "test_tournament_games_are_rated_between_active_entrants"),
    "opting out while losing": (RATINGS, "test_a_client_cannot_opt_out_of_a_rated_game"),
    "a player who casts": ("test_spectator_delay", "test_no_player_casts_the_own_game"),
    "a caster during a long thought": ("test_spectator_delay", "test_a_casters_view_lags_by_decisions_as_well"),
    "a hidden deck in an export": (IDENTITY, "test_an_export_has_no_hidden_deck_of_a_running_tournament"),
    "places kept by those who left": (UNBLOCKED, "test_leaving_frees_a_place"),
    "places of one address": (UNBLOCKED, "test_an_address_has_some_places_and_not_all"),
    "an outage of 25 hours": (UNBLOCKED, "test_a_table_without_a_room_counts_as_missed"),
    "locking an owner out": ("test_accounts", "test_guesses_are_limited_by_address_and_lock_no_owner_out"),
    "clocks of two processes and a ban": (IDENTITY, "test_a_ban_is_noticed_whatever_the_clocks_show"),
    "a readable database": ("test_safety", "test_the_database_is_readable_by_its_owner_only"),
    "Redis away and unnoticed": ("test_safety", "test_health_reports_that_redis_is_away"),
}


@pytest.mark.parametrize("number", CHEATS)
def test_each_cheat_has_a_test(number: str) -> None:
    _, file, name = CHEATS[number]
    assert_test(file, name)


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_has_a_test(attack: str) -> None:
    assert_test(*ATTACKS[attack])


def assert_test(file: str, name: str) -> None:
    source = (TESTS / "server" / f"{file}.py").read_text(encoding="utf-8")
    function, _, case = name.partition("[")
    assert f"def {function}(" in source
    assert not case or f'"{case.rstrip("]")}"' in source


def test_no_test_serves_two_cheats() -> None:
    assert len(CHEATS) == 22
    assert len({name for _, _, name in CHEATS.values()}) == 22
    assert len(set(ATTACKS.values())) == len(ATTACKS)
