"""Commands of users to a tournament. Each returns the events that follow, or raises `MessageRefused`."""

from __future__ import annotations

from typing import Literal

from blackpoker.errors import BlackPokerError
from blackpoker.ruleset import DeckError, built_in_decks, check_player_decks, parse_decks, read_regulation, write_decks
from blackpoker.server.confusables import look_alike
from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.tournaments.events import (
    AnyEvent,
    DeckSubmitted,
    EntrantJoined,
    GameScore,
    Rejoined,
    TableDecided,
    TournamentClosed,
    TournamentRules,
    Withdrew,
    entrant_id,
)
from blackpoker.server.tournaments.state import Entrant, Tournament

#: entrants of a tournament, also those who have left
MAX_KNOWN = 1024
#: an unlimited clock could block the tournament
MIN_BANK = 10


def check_rules(rules: TournamentRules, now: float) -> None:
    if not rules.name.strip():
        raise MessageRefused("name", "a tournament needs a name", "大会の名前を入れてください")
    if rules.clock.bank < MIN_BANK:
        raise MessageRefused(
            "clock",
            f"everybody has at least {MIN_BANK} seconds, and an end",
            f"持ち時間が必要です（{MIN_BANK}秒から）",
        )
    if rules.rated and not rules.accounts:
        raise MessageRefused("rated", "rated games are for people with an account", "レート戦にはアカウントが必要です")
    if rules.rated and rules.spectator_delay:
        raise MessageRefused(
            "rated",
            "ratings are told at once, so a rated tournament has no delay",
            "レートはすぐに公開されるため、レート戦の大会に観戦の遅れは付けられません",
        )
    if rules.starts and not now - 60 < rules.starts < now + 366 * 86_400:
        raise MessageRefused("starts", "it begins within a year from now", "開始はこれから1年以内にしてください")


def enter(tournament: Tournament, newcomer: Entrant, has_account: bool, now: float) -> list[AnyEvent]:
    """Return the events of entering. An entrant who is in already submits a changed deck or returns from a break."""
    entrant = tournament.find_guest(newcomer.guest)
    if entrant is not None:
        deck_events = (
            submit_deck(tournament, entrant, newcomer.deck, now)
            if newcomer.deck and newcomer.deck != entrant.deck
            else []
        )
        return deck_events or rejoin(tournament, entrant, now)
    check_may_enter(tournament)
    if tournament.rules.accounts and not has_account:
        raise MessageRefused("account", "this one is for those who have an account", "アカウントのある人の大会です")
    if not newcomer.name.strip():
        raise MessageRefused("name", "tell your name first", "先に名前を入れてください")
    check_place(tournament)
    own = [other for other in tournament.active_entrants() if newcomer.origin and other.origin == newcomer.origin]
    if len(own) >= tournament.rules.per_address:
        raise MessageRefused(
            "address",
            f"{len(own)} players of this address are in it already",
            f"同じアドレスからの参加者は{len(own)}人までです",
        )
    if any(is_same_name(other, newcomer) for other in tournament.entrants.values()):
        raise MessageRefused("name_taken", "somebody of that name is in it already", "同じ名前の人がもう参加しています")
    id = entrant_id(tournament.id, newcomer.guest)
    events: list[AnyEvent] = [
        EntrantJoined(now, id, newcomer.guest, newcomer.name, newcomer.player, newcomer.crest, newcomer.origin)
    ]
    if newcomer.deck:
        check_deck(tournament, newcomer.deck)
        events.append(DeckSubmitted(now, id, newcomer.deck))
    return events


def check_place(tournament: Tournament) -> None:
    """Raise `MessageRefused` if no place is free. Entrants who are away have given theirs back; `MAX_KNOWN` bounds how
    many there may have been."""
    full = len(tournament.active_entrants()) >= tournament.rules.most or len(tournament.entrants) >= MAX_KNOWN
    if full:
        raise MessageRefused("full", "it is full", "定員になりました")


def is_same_name(other: Entrant, newcomer: Entrant) -> bool:
    """Return True if the newcomer could be mistaken for an entrant. A name of an account is unique, so its owner is not
    refused because of a guest."""
    return not (newcomer.player and not other.player) and look_alike(other.name, newcomer.name)


def check_may_enter(tournament: Tournament) -> None:
    rules = tournament.rules
    if tournament.phase == "over":
        raise MessageRefused("over", "it is over", "大会は終わりました")
    if tournament.phase == "open":
        return
    is_late_entry_allowed = rules.kind == "arena" or (
        rules.kind == "swiss" and tournament.round_number <= max(1, tournament.total_rounds // 2)
    )
    if not is_late_entry_allowed:
        raise MessageRefused("late", "it has begun without you", "もう始まっています")


def check_deck(tournament: Tournament, text: str) -> None:
    if not tournament.brings_decks:
        raise MessageRefused("deck", "nobody brings a deck here", "この大会ではデッキを出しません")
    try:
        check_player_decks(parse_decks(text), read_regulation(tournament.rules.regulation))
    except DeckError as error:
        raise MessageRefused(
            "deck", "; ".join(error.defects)[:600], "、".join(error.defects_ja)[:600], "R-190"
        ) from None
    except BlackPokerError as error:
        raise MessageRefused("deck", error.en[:600], error.ja[:600]) from None


def submit_deck(tournament: Tournament, entrant: Entrant, deck: str, now: float) -> list[AnyEvent]:
    """Return the event of a submitted deck; an empty one stands for the deck that the frame itself provides."""
    if tournament.phase == "over" or (tournament.phase == "running" and entrant.deck):
        raise MessageRefused("locked", "deck lists are locked", "デッキはもう変えられません")
    if not deck and tournament.brings_decks:
        deck = write_decks(built_in_decks(read_regulation(tournament.rules.regulation).frame))
    check_deck(tournament, deck)
    return [DeckSubmitted(now, entrant.id, deck)]


def withdraw(tournament: Tournament, entrant: Entrant, now: float) -> list[AnyEvent]:
    """Return the event of a break or withdrawal: the present game continues, the next round is paired without the
    entrant."""
    return [] if entrant.absence or tournament.phase == "over" else [Withdrew(now, entrant.id)]


def rejoin(tournament: Tournament, entrant: Entrant, now: float) -> list[AnyEvent]:
    if not entrant.absence or tournament.phase == "over":
        return []
    if entrant.absence == "host":
        raise MessageRefused("sent_away", "the host has taken you out of it", "主催者により外されました")
    check_place(tournament)
    return [Rejoined(now, entrant.id)]


# -- commands of the host ----------------------------------------------------------------------------------------------


def check_host(tournament: Tournament, guest: str) -> None:
    if not guest or tournament.announced.host != guest:
        raise MessageRefused("host", "only its host may do that", "主催者だけができます")


def check_may_pair(tournament: Tournament) -> None:
    """Raise `MessageRefused` unless the host may pair the next round now."""
    if tournament.open_tables and tournament.rules.kind != "arena":
        raise MessageRefused(
            "open", f"{len(tournament.open_tables)} tables play", f"{len(tournament.open_tables)}卓が対戦中です"
        )
    if tournament.phase == "over" or (tournament.phase == "running" and not tournament.has_more_rounds()):
        raise MessageRefused("over", "there is no other round", "次のラウンドはありません")
    if len(tournament.pairable()) < 2 and tournament.phase == "open":
        raise MessageRefused("few", "it takes two", "2人以上必要です")


def set_result(
    tournament: Tournament, round: int, table: int, outcome: Literal["one", "two", "draw", "lost"], now: float
) -> list[AnyEvent]:
    """Return the host's result of a table; raise `MessageRefused` if the next knock-out round depends on it."""
    match = tournament.tables.get((round, table))
    if match is None or tournament.phase != "running":
        raise MessageRefused("table", "there is no such table", "その卓はありません")
    if tournament.rules.kind == "knockout" and (round < tournament.round_number or outcome == "draw"):
        raise MessageRefused("fixed", "the next round hangs on it", "次のラウンドが決まっています")
    wins = tournament.announced.wins
    games: dict[str, GameScore] = {"one": (wins, 0, 0), "two": (0, wins, 0), "draw": (0, 0, 1), "lost": (0, 0, 0)}
    records = [] if match.decided is None else match.decided.records
    return [TableDecided(now, round, table, "host", games[outcome], outcome == "lost", records=records)]


def remove_entrant(tournament: Tournament, id: str, now: float) -> list[AnyEvent]:
    entrant = tournament.entrants.get(id)
    if entrant is None or tournament.phase == "over":
        raise MessageRefused("entrant", "nobody of that kind is in it", "その参加者はいません")
    return [] if entrant.absence == "host" else [Withdrew(now, id, "host")]


def close(tournament: Tournament, now: float) -> list[AnyEvent]:
    return [] if tournament.phase == "over" else [TournamentClosed(now, tournament.phase == "open")]
