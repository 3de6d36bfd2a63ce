"""``blackpoker bot join URL --bot BOT``: a bot process in a seat on a server.

The bot uses the same protocol as in the arena; its messages are forwarded to the server. Its account is a guest
account,
kept in the user's data folder, so that the same bot keeps its rating under the same name.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException

from blackpoker import EventView
from blackpoker.cli.console import STOPPED, UsageError, language, os_error_text, print_error
from blackpoker.cli.regulations import parse
from blackpoker.cli.serve import data_folder
from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.bots.player import check_start
from blackpoker.players.bots.process import BotProcess, acquire, release, terminate
from blackpoker.players.engine_players import BotLevel, level_of
from blackpoker.players.errors import Fault, PlayersError
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p
from blackpoker.text.resources import Lang, in_lang

NO_URL: Final = (
    "「{0}」はサーバーのアドレスではありません（例：http://localhost:8080）",
    "{0!r} is no address of a server, such as http://localhost:8080",
)
NO_BOT: Final = (
    '「{0}」はボットではありません。mybot.py:Bot か exec:"node bot.js" と書きます',
    '{0!r} is no bot; name one as mybot.py:Bot or exec:"node bot.js"',
)
NOT_KEPT: Final = ("ボットのアカウントを {0} に残せません：{1}", "cannot keep the bot's account in {0}: {1}")
SEATED: Final = ("{0} の {1} に着きました", "at {0} as {1}")
OVER: Final = ("{0}：{1}（相手 {2}、{3}）", "{0}: {1} against {2} ({3})")
RESULTS: Final = {
    "won": ("勝ち", "won"),
    "lost": ("負け", "lost"),
    "drawn": ("引き分け", "drawn"),
}
UNREACHABLE: Final = (
    "サーバーに届きません：{0}。{1:.0f}秒後にもう一度",
    "the server is out of reach: {0}; again in {1:.0f} s",
)
REFUSED: Final = ("断られました：{0}。{1:.0f}秒後にもう一度", "refused: {0}; again in {1:.0f} s")
#: refusal codes that a retry cannot fix
PERMANENT_REFUSALS: Final = ("no_room", "taken", "full", "watching", "no_watching")
NO_WORLD: Final = (
    "サーバーでは見えるものと言葉だけが分かります",
    "on a server a bot receives its view and the tokens, no worlds",
)
ROOM: Final = re.compile(r"/room/([A-Za-z0-9_-]{1,24})/?")
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
#: timeout in seconds for a server's answer to a bot's draft
DRAFT_TIMEOUT: Final = 60.0


def bot(
    what: str,
    url: str,
    bot: str,
    name: str,
    regulation: str,
    matches: int,
    forgive: int,
    verbose: bool,
    lang: str | None,
) -> int:
    """Take a seat on a server with a bot."""
    tongue = language(lang)
    server, room = parse_room_url(url)
    chosen = parse(regulation)
    try:
        level = level_of(bot)
        if not isinstance(level, BotLevel):
            raise UsageError(NO_BOT, bot)
        found = level.bot
        check_start(found, chosen)  # fail before an opponent waits for it
    except PlayersError as error:
        raise UsageError((error.ja, error.en)) from None
    player = BotClient(found, server, room, name or found.short[:24], tongue, forgive)
    player.regulation = chosen.text
    player.verbose = verbose
    try:
        asyncio.run(player.run(matches))
    except KeyboardInterrupt:
        return STOPPED
    return 0


def parse_room_url(url: str) -> tuple[str, str]:
    """Return the server of an address and its room, or "" if it names none; raise `UsageError` for an invalid
    address."""
    try:
        address = urlsplit(url)
        good = address.scheme in ("http", "https") and address.hostname and address.port != 0
    except ValueError:  # unbalanced brackets or an invalid port
        good = False
    if not good:
        raise UsageError(NO_URL, url)
    room = ROOM.fullmatch(address.path)
    return f"{address.scheme}://{address.netloc}", room[1] if room else ""


class BotClient:
    """A bot that plays match after match on one server."""

    def __init__(self, bot: Bot, url: str, room: str, name: str, lang: Lang, forgive: int = 0) -> None:
        self.bot = bot
        self.url = url
        self.room = room
        self.name = name
        self.lang: Lang = lang
        self.forgive = forgive
        self.verbose: bool = False
        self.regulation: str = "lite+entry"
        self.accounts: Path = data_folder() / "bots.json"
        self.played: int = 0
        self.faults: list[str] = []

    def print_line(self, text: tuple[str, str], *values: object) -> None:
        print(in_lang(text, self.lang, *values), flush=True)

    async def run(self, matches: int) -> None:
        """Play matches; after any failure wait and try again."""
        pause = FIRST_PAUSE
        while not matches or self.played < matches:
            played = self.played
            try:
                await self.play_room(matches)
            except Refused as refused:
                if refused.code in PERMANENT_REFUSALS and self.room:
                    raise UsageError((str(refused), str(refused))) from None
                self.print_line(REFUSED, refused, pause)
                await asyncio.sleep(pause)
            except (OSError, TimeoutError, WebSocketException) as error:
                self.print_line(UNREACHABLE, type(error).__name__, pause)
                await asyncio.sleep(pause)
            pause = FIRST_PAUSE if self.played > played else min(2 * pause, LONGEST_PAUSE)

    async def play_room(self, matches: int) -> None:
        """Play in one room: a single match against any waiting opponent, or match after match in a named room."""
        async with Client(self.url, self.name, self.lang, self.cookie()) as client:
            self.save_cookie(client.cookie)
            room = self.room
            if not room:
                wanted = {"regulation": self.regulation, "opponent": "bot"}
                room = (await client.request("POST", "/api/quick", wanted))["room"]
            async with client.join(room, detail="bot") as seat:
                if seat.seat is None:
                    raise Refused("watching", f"no seat is free in {self.url}/room/{room}")
                self.print_line(SEATED, f"{self.url}/room/{room}", seat.seat)
                while True:
                    await self.play(seat)
                    if not self.room or (matches and self.played >= matches):
                        return
                    await seat.rematch()

    async def play(self, seat: ServerSeat) -> None:
        """Play one match."""
        if seat.info is not None and seat.info.phase == "waiting":
            await seat.ready()
        player = RemoteBot(self.bot, seat, self.forgive)
        try:
            async for ask in seat.prompts():
                fault = await player.answer(ask)
                if self.verbose:
                    for line in player.take_output().splitlines():
                        print(f"{self.bot.name}: {line}", file=sys.stderr, flush=True)
                if fault:
                    self.faults.append(fault)
                    print_error(f"{self.bot.name}: {fault}", 0)
            self.played += 1
        finally:
            player.close()
        result, info = seat.result, seat.info
        assert result is not None
        assert info is not None
        outcome = "drawn" if result.winner == "draw" else "won" if result.winner == seat.seat else "lost"
        other = info.p2.name if seat.seat == "p1" else info.p1.name
        self.print_line(OVER, self.played, in_lang(RESULTS[outcome], self.lang), other, result.reason)

    # -- the account -------------------------------------------------------------------------------------------------

    def load_accounts(self) -> dict[str, Any]:
        try:
            found = json.loads(self.accounts.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def cookie(self) -> str:
        return str(self.load_accounts().get(f"{self.url} {self.name}", ""))

    def save_cookie(self, cookie: str) -> None:
        """Save the account cookie. It is a secret: it identifies the bot."""
        accounts = {**self.load_accounts(), f"{self.url} {self.name}": cookie}
        if accounts == self.load_accounts():
            return
        part = self.accounts.with_suffix(f".{os.getpid()}.part")
        try:
            self.accounts.parent.mkdir(parents=True, exist_ok=True)
            part.touch(0o600)
            part.write_text(json.dumps(accounts, indent=1), encoding="utf-8")
            os.replace(part, self.accounts)  # atomic, because the file also holds other bots' accounts
        except OSError as error:
            raise UsageError(NOT_KEPT, self.accounts, os_error_text(error, self.lang)) from None


class RemoteBot:
    """A bot process in a seat on a server, for one match. As in the arena, ``forgive`` faults per game are forgiven:
    the safest option is played and the bot restarts. The next fault loses the game."""

    def __init__(self, bot: Bot, seat: ServerSeat, forgive: int = 0) -> None:
        self.bot = bot
        self.seat = seat
        self.forgive = forgive
        self.faults: int = 0  # in this game
        self.process: BotProcess | None = None
        self.last_output: str = ""  # of a process that was stopped
        self.events: list[EventView] = []
        self.game: int = -1
        seat.on_message = self.collect_events

    def collect_events(self, message: p.AnyServerMessage) -> None:
        if isinstance(message, p.Update):
            self.events += message.events

    async def answer(self, ask: p.Prompt) -> str:
        """Answer a prompt; return the bot's fault, or ""."""
        if ask.kind == "deck":
            await self.seat.choose(ask, safest_option)
            return ""
        fault = ""
        if self.faults <= self.forgive:
            fault = await self.try_answer(ask)
            if not fault:
                return ""
            self.stop_process()
            self.faults += 1
        if self.faults <= self.forgive:
            await self.seat.choose(ask, safest_option)
            return f"{fault}; the default instead"
        try:
            await self.seat.resign(fault=True)
            self.faults = 0
        except Refused:
            self.faults = 0  # the game had already ended
        except (OSError, WebSocketException):
            pass  # the server repeats the prompt after a reconnect
        return f"{fault}; the game is lost" if fault else ""

    async def try_answer(self, ask: p.Prompt) -> str:
        """Let the bot answer; return its fault, or ""."""
        try:
            await self.ask(ask)
        except Fault as error:
            return str(error)
        except Refused as error:
            return "" if error.code == "late" else f"was refused: {error}"
        except (OSError, WebSocketException):
            pass  # the server repeats the prompt after a reconnect
        return ""

    async def ask(self, ask: p.Prompt) -> None:
        if self.process is None:
            self.process = await asyncio.to_thread(self.start)
        if self.process.detail == "worker":
            await self.seat.submit(ask, await self.build_move(ask))
            return
        reply = await self.ask_process(self.message(ask, ask.options, ask.kind, []), ask)
        if isinstance(reply.tokens, list):
            await self.seat.submit(ask, reply.tokens)
        elif isinstance(reply.text, str):
            await self.seat.submit(ask, reply.text)
        else:
            raise Fault("answered with neither words nor text")

    def start(self) -> BotProcess:
        process = acquire(self.bot)
        info, you = self.seat.info, self.seat.seat
        assert info is not None
        time = w.BotTime(self.bot.start, self.bot.seconds)
        hello = w.Hello(
            w.VERSION, info.settings.regulation, you or "p1", secrets.randbelow(2**53), time, self.bot.memory
        )
        try:
            process.greet(hello)
        except Fault:
            terminate(process)
            raise
        return process

    async def build_move(self, ask: p.Prompt) -> list[str]:
        """Return the move of a bot class, which chooses option by option. Single options are taken without asking
        it."""
        words: list[str] = []
        options, kind = ask.options, ask.kind
        while True:
            word = options[0].token
            if len(options) > 1:
                reply = await self.ask_process(self.message(ask, options, kind, words), ask)
                word = reply.tokens[0] if isinstance(reply.tokens, list) else ""
            words.append(word)
            if words == ["pass"]:
                return words
            drafted = await self.seat.preview(ask, words)
            if drafted.complete:
                return words
            options, kind = drafted.options, drafted.kind

    def message(self, ask: p.Prompt, options: list[p.Option], kind: str, tokens_so_far: list[str]) -> w.BotPrompt:
        process, update = self.process, self.seat.last
        assert process is not None
        choices = [p.Option(option.token) for option in options]
        events, self.events = self.events, []
        message = w.BotPrompt(ask.seq, kind, choices, ask.multiple, list(tokens_so_far), w.compact_events(events))
        if process.detail != "lean" and update is not None:
            message.view = update.view
        if process.detail == "worker":
            message.option_numbers, message.default = list(range(len(options))), options.index(safest_option(options))
        return message

    async def ask_process(self, message: w.BotPrompt, ask: p.Prompt) -> p.SubmitMove:
        """Send a prompt to the process in a thread; its queries are answered in this event loop."""
        process = self.process
        assert process is not None
        loop = asyncio.get_running_loop()

        def answers(asked: w.AnyBotMessage) -> object:
            return asyncio.run_coroutine_threadsafe(self.answer_query(asked, ask), loop).result(DRAFT_TIMEOUT)

        try:
            return await asyncio.to_thread(process.ask, message, answers)
        except asyncio.CancelledError:
            process.stop()
            raise

    async def answer_query(self, query: w.AnyBotMessage, ask: p.Prompt) -> object:
        """Return the server's answer to a bot's query; a lost connection is restored first."""
        id = getattr(query, "id", 0)
        try:
            while True:
                try:
                    return await self.query_server(query, ask, id)
                except (OSError, WebSocketException):
                    await self.seat.reconnect()
        except Refused as refused:
            return p.Error(id, refused.code, str(refused), str(refused), refused.ruling)

    async def query_server(self, query: w.AnyBotMessage, ask: p.Prompt, id: int) -> object:
        if isinstance(query, p.RequestRefusals):
            return p.Refusals(id, await self.seat.refusals())
        if not isinstance(query, p.PreviewMove):
            return p.Error(id, "no_world", NO_WORLD[1], NO_WORLD[0])
        if isinstance(query.text, str):
            drafted = await self.seat.preview_text(ask, query.text)
        else:
            drafted = await self.seat.preview(ask, query.tokens)
        drafted.id = id
        return drafted

    def take_output(self) -> str:
        """Return what the bot has written to standard error since the last call."""
        output, self.last_output = self.last_output, ""
        return output + ("" if self.process is None else self.process.take_output())

    def stop_process(self) -> None:
        if self.process is not None:
            self.last_output += self.process.take_output()
            terminate(self.process)
            self.process = None

    def close(self) -> None:
        """Release the process at the end of the match, or earlier."""
        self.seat.on_message = None
        result, process = self.seat.result, self.process
        self.process = None
        if process is None:
            return
        if result is None:
            terminate(process)
            return
        try:
            process.over(w.BotGameOver(result.winner, result.reason))
            release(process)
        except Fault:
            terminate(process)


def safest_option(options: list[p.Option]) -> p.Option:
    """Return the least harmful option: a pass, the end of a choice, else the first option."""
    for word in ("pass", "done"):
        for option in options:
            if option.token == word:
                return option
    return options[0]
