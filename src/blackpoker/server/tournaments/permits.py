"""Commands of users to a tournament. Each returns the events that follow, or raises `MessageRefused`."""

from __future__ import annotations

from typing import Literal

from blackpoker.errors import BlackPokerError
from blackpoker.regulation import DeckError, built_in_decks, check_brought, parse_decks, read_regulation, write_decks
from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.tournaments.acts import (
    AnyAct,
    CameBack,
    Closed,
    Decided,
    Entered,
    GameScore,
    HandedIn,
    TournamentRules,
    WentAway,
    entrant_id,
)
from blackpoker.server.tournaments.course import Entrant, Tournament

#: an unlimited clock could block the tournament
LEAST_BANK = 10


def check_rules(rules: TournamentRules, now: float) -> None:
    if not rules.name.strip():
        raise MessageRefused("name", "a tournament needs a name", "大会の名前を入れてください")
    if rules.clock.bank < LEAST_BANK:
        raise MessageRefused(
            "clock", f"everybody has at least {LEAST_BANK} seconds, and an end",
            f"持ち時間が必要です（{LEAST_BANK}秒から）",
        )  # fmt: skip
    if rules.rated and not rules.accounts:
        raise MessageRefused("rated", "rated games are for people with an account", "レート戦にはアカウントが必要です")
    if rules.rated and rules.spectator_delay:
        raise MessageRefused(
            "rated", "ratings are told at once, so a rated tournament has no delay",
            "レートはすぐに公開されるため、レート戦の大会に観戦の遅れは付けられません",
        )  # fmt: skip
    if rules.starts and not now - 60 < rules.starts < now + 366 * 86_400:
        raise MessageRefused("starts", "it begins within a year from now", "開始はこれから1年以内にしてください")


def enter(tournament: Tournament, who: Entrant, signed: bool, now: float) -> list[AnyAct]:
    """Return the events of entering. An entrant who is in already submits a changed deck or returns from a break."""
    known = tournament.of_guest(who.guest)
    if known is not None:
        acts = hand_in(tournament, known, who.deck, now) if who.deck and who.deck != known.deck else []
        return acts or come_back(tournament, known, now)
    may_enter(tournament)
    if tournament.rules.accounts and not signed:
        raise MessageRefused("account", "this one is for those who have an account", "アカウントのある人の大会です")
    if not who.name.strip():
        raise MessageRefused("name", "tell your name first", "先に名前を入れてください")
    if len(tournament.entrants) >= tournament.rules.most:
        raise MessageRefused("full", "it is full", "定員になりました")
    if any(one.name == who.name for one in tournament.entrants.values()):
        raise MessageRefused("name_taken", "somebody of that name is in it already", "同じ名前の人がもう参加しています")
    id = entrant_id(tournament.id, who.guest)
    found: list[AnyAct] = [Entered(now, id, who.guest, who.name, who.player, who.crest)]
    if who.deck:
        check_deck(tournament, who.deck)
        found.append(HandedIn(now, id, who.deck))
    return found


def may_enter(tournament: Tournament) -> None:
    rules = tournament.rules
    if tournament.phase == "over":
        raise MessageRefused("over", "it is over", "大会は終わりました")
    if tournament.phase == "open":
        return
    late = rules.kind == "arena" or (rules.kind == "swiss" and tournament.round <= max(1, tournament.total // 2))
    if not late:
        raise MessageRefused("late", "it has begun without you", "もう始まっています")


def check_deck(tournament: Tournament, text: str) -> None:
    if not tournament.brings_decks:
        raise MessageRefused("deck", "nobody brings a deck here", "この大会ではデッキを出しません")
    try:
        check_brought(parse_decks(text), read_regulation(tournament.rules.regulation))
    except DeckError as error:
        raise MessageRefused(
            "deck", "; ".join(error.defects)[:600], "、".join(error.defects_ja)[:600], "R-190"
        ) from None
    except BlackPokerError as error:
        raise MessageRefused("deck", error.en[:600], error.ja[:600]) from None


def hand_in(tournament: Tournament, who: Entrant, deck: str, now: float) -> list[AnyAct]:
    """Return the event of a submitted deck; an empty one stands for the deck that the frame itself provides."""
    if tournament.phase == "over" or (tournament.phase == "running" and who.deck):
        raise MessageRefused("locked", "deck lists are locked", "デッキはもう変えられません")
    if not deck and tournament.brings_decks:
        deck = write_decks(built_in_decks(read_regulation(tournament.rules.regulation).frame))
    check_deck(tournament, deck)
    return [HandedIn(now, who.id, deck)]


def go_away(tournament: Tournament, who: Entrant, now: float) -> list[AnyAct]:
    """Return the event of a break or withdrawal: the present game continues, the next round is paired without the
    entrant."""
    return [] if who.away or tournament.phase == "over" else [WentAway(now, who.id)]


def come_back(tournament: Tournament, who: Entrant, now: float) -> list[AnyAct]:
    if not who.away or tournament.phase == "over":
        return []
    if who.away == "host":
        raise MessageRefused("sent_away", "the host has taken you out of it", "主催者により外されました")
    return [CameBack(now, who.id)]


# -- commands of the host ----------------------------------------------------------------------------------------------


def check_host(tournament: Tournament, guest: str) -> None:
    if not guest or tournament.announced.host != guest:
        raise MessageRefused("host", "only its host may do that", "主催者だけができます")


def may_pair(tournament: Tournament) -> None:
    """Raise `MessageRefused` unless the host may pair the next round now."""
    if tournament.open and tournament.rules.kind != "arena":
        raise MessageRefused("open", f"{len(tournament.open)} tables play", f"{len(tournament.open)}卓が対戦中です")
    if tournament.phase == "over" or (tournament.phase == "running" and not tournament.more_rounds()):
        raise MessageRefused("over", "there is no other round", "次のラウンドはありません")
    if len(tournament.present()) < 2 and tournament.phase == "open":
        raise MessageRefused("few", "it takes two", "2人以上必要です")


def fix(
    tournament: Tournament, round: int, table: int, outcome: Literal["one", "two", "draw", "lost"], now: float
) -> list[AnyAct]:
    """Return the host's result of a table; raise `MessageRefused` if the next knock-out round depends on it."""
    found = tournament.tables.get((round, table))
    if found is None or tournament.phase != "running":
        raise MessageRefused("table", "there is no such table", "その卓はありません")
    if tournament.rules.kind == "knockout" and (round < tournament.round or outcome == "draw"):
        raise MessageRefused("fixed", "the next round hangs on it", "次のラウンドが決まっています")
    wins = tournament.announced.wins
    games: dict[str, GameScore] = {"one": (wins, 0, 0), "two": (0, wins, 0), "draw": (0, 0, 1), "lost": (0, 0, 0)}
    records = [] if found.decided is None else found.decided.records
    return [Decided(now, round, table, "host", games[outcome], outcome == "lost", records=records)]


def send_away(tournament: Tournament, id: str, now: float) -> list[AnyAct]:
    found = tournament.entrants.get(id)
    if found is None or tournament.phase == "over":
        raise MessageRefused("entrant", "nobody of that kind is in it", "その参加者はいません")
    return [] if found.away == "host" else [WentAway(now, id, "host")]


def close(tournament: Tournament, now: float) -> list[AnyAct]:
    return [] if tournament.phase == "over" else [Closed(now, tournament.phase == "open")]
