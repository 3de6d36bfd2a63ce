"""The screen and the keyboard input of a terminal game."""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from blackpoker.assist import autopass
from blackpoker.cli.board import TextBoard, coloured, drawn, truncate
from blackpoker.cli.console import NOTICE, STOPPED
from blackpoker.cli.rules import print_page, unknown_page_text
from blackpoker.cli.session import NAMES, Session
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset.reference import pages
from blackpoker.text.resources import Lang, in_lang, text_of
from blackpoker.text.rulebook import find_pages

TEXTS = {
    "you": ("（あなた）", " (you)"),
    "computer": ("（{0}）", " ({0})"),
    "hand_over": (
        "{0}さんに交代してください。準備ができたら Enter を押してください。",
        "{0}, it is your choice. Press Enter when only you can see the screen.",
    ),
    "enter": ("Enter で続ける", "Enter to go on"),
    "hint": ("番号か表記で選ぶ。help でコマンド一覧", "A number or a move in notation; `help` lists the commands"),
    "number": ("1から{0}の番号を入力してください。", "Choose a number from 1 to {0}."),
    "no_undo": ("戻せる手がありません。", "There is nothing to take back."),
    "no_cancel": ("取り消す途中のアクションはありません。", "There is no action to cancel."),
    "saved": ("{0} に保存しました。", "Saved to {0}."),
    "save_how": ("ファイル名をつけてください：save FILE", "Name a file: save FILE"),
    "overwrite": ("{0} は既にあります。上書きしますか [y/N] ", "{0} exists. Overwrite it? [y/N] "),
    "not_saved": ("保存しませんでした。", "Not saved."),
    "cannot_save": ("{0} に保存できません：{1}", "Cannot save to {0}: {1}"),
    "lang_how": ("lang ja か lang en と入力してください。", "Type lang ja or lang en."),
    "auto_off": ("すべてのチャンスで確認します。", "You are asked at every chance."),
    "auto_on": (
        "結果を変えられないところでは自動でパスします。",
        "Passing by itself where no answer would change anything.",
    ),
    "bye_save": ("保存するならファイル名、しないなら Enter：", "A file name to save, or Enter to leave without: "),
    "bye": ("終わります。", "Goodbye."),
    "ended": ("入力が終わったので、ゲームを中断しました。", "The input has ended; the game was left."),
    "after": (
        "Enter で終わる。undo, log, save FILE も使えます。",
        "Enter to leave; undo, log and save FILE still work.",
    ),
    "forced": ("選択肢は1つ：{0}", "only choice: {0}"),
    "not_now": ("いまは起こせません：{0}", "Not now: {0}"),
    "commands": (
        "番号               その選択肢を選ぶ\n"
        "表記               例：summon_soldier S7 $b1、p または pass、d または done\n"
        "undo (u)           前の選択に戻る\n"
        "cancel (c)         組み立て中のアクションをやめる\n"
        "help 名前          アクションなどの説明（help 3 で3番の説明）\n"
        "log                これまでの記録\n"
        "auto               自動パスの切り替え\n"
        "save FILE          保存（blackpoker play --resume FILE で再開）\n"
        "lang ja|en         言語\n"
        "quit (q)           終わる\n\n"
        "↷ ドライブ　* このターンに場に出た　■ 裏向き　(8 +3) 数字とその増減\n"
        "[ ] 防壁のカード、墓地の一番上のカード",
        "a number           choose that option\n"
        "notation           such as summon_soldier S7 $b1; p or pass, d or done\n"
        "undo (u)           back to your choice before\n"
        "cancel (c)         drop the request you are wording\n"
        "help NAME          the rule text of an action … (help 3: of option 3)\n"
        "log                everything that happened\n"
        "auto               switch passing by itself on and off\n"
        "save FILE          save; go on with blackpoker play --resume FILE\n"
        "lang ja|en         the language\n"
        "quit (q)           leave\n\n"
        "↷ driven   * entered this turn   ■ face down   (8 +3) number, what was added\n"
        "[ ] the card of a bulwark, the top of a grave",
    ),
}
COMMANDS = {
    "undo": "undo",
    "u": "undo",
    "戻す": "undo",
    "cancel": "cancel",
    "c": "cancel",
    "取消": "cancel",
    "help": "help",
    "h": "help",
    "?": "help",
    "ヘルプ": "help",
    "log": "log",
    "l": "log",
    "記録": "log",
    "auto": "auto",
    "save": "save",
    "保存": "save",
    "lang": "lang",
    "言語": "lang",
    "quit": "quit",
    "q": "quit",
    "exit": "quit",
    "終了": "quit",
}


class Quit(Exception):
    """Raised when the player quits."""


class InputEnded(Exception):
    """Raised at the end of input that is not a terminal."""


class TerminalTable:
    """The screen and the keyboard input of a session."""

    def __init__(self, session: Session, lang: Lang, out: Console) -> None:
        self.session = session
        self.lang: Lang = lang
        self.out = out
        self.screen: bool = sys.stdout.isatty() and sys.stdin.isatty()
        self.viewer: int = -1
        self.message: str = ""
        self.saved: Path | None = None
        self.final_lines: list[str] = []  # lines to print after the alternate screen is closed

    def phrase(self, name: str, *values: object) -> str:
        return in_lang(TEXTS[name], self.lang).format(*values)

    # -- the loop

    def run(self) -> int:
        """Play to the end. The alternate screen has no scrollback, so an earlier player's hand cannot be read."""
        if not self.screen:
            self.out.print(NOTICE)
            return self.play_until_quit()
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # line editing and history for input()
        self.out.set_alt_screen(True)
        try:
            code = self.play_until_quit()
        finally:
            self.out.set_alt_screen(False)
        for line in self.final_lines:
            self.out.print(line)
        self.out.print(NOTICE, style="dim")
        return code

    def play_until_quit(self) -> int:
        try:
            self.play()
            return 0
        except Quit:
            return self.quit()
        except InputEnded:
            return 0
        except KeyboardInterrupt:
            return STOPPED

    def play(self) -> None:
        session = self.session
        while True:
            game = session.game
            if game.outcome() is not None:
                if not self.finished():
                    return
                continue
            seat = int(game.player)
            if seat not in session.people:
                session.play_computer()
                continue
            automatic = session.automatic()
            if automatic is not None:
                self.take_automatically(seat, *automatic)
                continue
            session.mark_undo_point()
            if len(session.people) > 1 and seat != self.viewer:
                self.hand_over(seat)
            self.viewer = seat
            self.show(seat)
            self.answer(self.read())

    def take_automatically(self, seat: int, option: int, why: str) -> None:
        """Take an option automatically, with a log line about it."""
        session = self.session
        if why == "forced":
            word = next(word for word in session.decision.options if word.option == option)
            remark = {lang: in_lang(TEXTS["forced"], lang).format(word.label(lang)) for lang in session.prompts}
            session.add_remark(remark, seat)
            session.push(option)
            return
        session.push(option)
        for lang in session.prompts:  # the first line reports the pass
            reason = in_lang(autopass.PASS_REASONS[why], lang)
            for lines in (session.log[-1].full[lang, seat], session.log[-1].short[lang, seat]):
                lines[0] += f" ({reason})"

    def answer(self, text: str) -> None:
        session = self.session
        self.message = ""
        first, _, rest = text.partition(" ")
        command = COMMANDS.get(first.casefold())
        options = session.game.options
        if not text:
            self.message = self.phrase("hint")
        elif command is not None:
            self.command(command, rest.strip())
        elif text.isascii() and text.isdigit():
            number = int(text) if len(text) < 6 else 0
            if 1 <= number <= len(options):
                session.push(options[number - 1])
            else:
                self.message = self.phrase("number", len(options))
        elif text.casefold() in ("p", "パス") and (word := session.option_for("pass")) is not None:
            session.push(word.option)
        elif text.casefold() in ("d", "決定", "これで決定") and (word := session.option_for("done")) is not None:
            session.push(word.option)
        else:
            self.push_text(text)

    def push_text(self, text: str) -> None:
        """Play a move in notation. The name of an action replaces a draft request."""
        session = self.session
        game = session.game
        dropped: list[int] = []
        if session.has_draft and text.split()[0] in session.prompts["en"].book.actions:
            before = game.history[:]
            session.cancel()
            dropped = before[len(game.history) :]
        try:
            session.push(text)
        except BlackPokerError as error:
            self.message = error.ja if self.lang == "ja" else error.en
            for option in dropped:
                session.push(option)

    # -- commands

    def command(self, command: str, rest: str) -> None:
        session = self.session
        if command == "undo":
            if not session.undo():
                self.message = self.phrase("no_undo")
        elif command == "cancel":
            if not session.cancel():
                self.message = self.phrase("no_cancel")
        elif command == "help":
            self.help(rest)
        elif command == "log":
            self.page(
                [coloured(line) for entry in session.log for line in entry.full.get((self.lang, self.viewer), ())]
            )
        elif command == "auto":
            session.ask_everywhere = not session.ask_everywhere
            self.message = self.phrase("auto_off" if session.ask_everywhere else "auto_on")
        elif command == "save":
            self.message = self.save(rest) if rest else self.phrase("save_how")
        elif command == "lang":
            if rest in ("ja", "en"):
                self.lang = "ja" if rest == "ja" else "en"
            else:
                self.message = self.phrase("lang_how")
        else:
            raise Quit

    def help(self, name: str) -> None:
        if not name:
            self.page([Text(line) for line in (*self.phrase("commands").split("\n"), "", NOTICE)])
            return
        decision = self.session.game.decision
        if name.isascii() and name.isdigit() and decision is not None and 1 <= int(name[:5]) <= len(decision.options):
            action = decision.options[int(name[:5]) - 1].action or (decision.so_far[0] if decision.so_far else "")
            name = action.removesuffix("@") or name
        edition = self.session.game.regulation.edition
        found = find_pages(pages(self.lang, edition), name)
        if not found:
            self.message = unknown_page_text(name, self.lang, edition)
            return
        if self.screen:
            self.out.clear()
        for page in found:
            print_page(self.out, page, self.lang)
            self.print_why_not(page.id if page.kind == "action" else "")
        self.pause()

    def print_why_not(self, action: str) -> None:
        """Print why the action cannot be requested, if the player holds the chance."""
        decision = self.session.game.decision
        if decision is not None and decision.kind == "chance":
            reason = decision.refusals.get(action)
            if reason is not None:
                why = text_of(reason, self.lang) + (f" ({reason.ruling})" if reason.ruling else "")
                self.out.print(Text("  " + self.phrase("not_now", why), style="yellow"))

    def saved_text(self) -> str:
        """Return the text of a saved game."""
        return self.session.game.to_json()

    def unsaved(self) -> bool:
        return self.session.game.outcome() is None and bool(self.session.game.history)

    def save(self, name: str) -> str:
        path = Path(name).expanduser()
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if (
                path.exists()
                and path != self.saved
                and self.ask(self.phrase("overwrite", path)).casefold() not in ("y", "yes")
            ):
                return self.phrase("not_saved")
            unfinished = path.with_name(path.name + ".part")
            unfinished.write_text(self.saved_text() + "\n", encoding="utf-8")
            os.replace(unfinished, path)
        except (OSError, ValueError) as error:
            return self.phrase("cannot_save", path, getattr(error, "strerror", None) or error)
        self.saved = path
        return self.phrase("saved", path)

    def quit(self) -> int:
        """Offer to save, then quit. A second Ctrl-C quits at once."""
        try:
            if self.unsaved():
                while name := self.ask(self.phrase("bye_save")):
                    done = self.save(name)
                    if self.saved == Path(name).expanduser():
                        self.print_final(done)
                        break
                    self.out.print(done)
        except (KeyboardInterrupt, EOFError):
            return STOPPED
        self.print_final(self.phrase("bye"))
        return 0

    def print_final(self, text: str) -> None:
        """Print a line that stays visible after the screen is closed."""
        if self.screen:
            self.final_lines.append(text)
        else:
            self.out.print(text)

    # -- screen and keyboard

    def read(self) -> str:
        try:
            return self.ask("> ")
        except EOFError:
            self.out.print()
            if self.screen:
                raise Quit from None
            self.out.print(self.phrase("ended"))
            raise InputEnded from None
        except KeyboardInterrupt:
            self.out.print()
            raise Quit from None

    def ask(self, prompt: str) -> str:
        text = input(prompt)
        if not sys.stdin.isatty():
            print()  # the input contains no line end for the prompt
        return " ".join(text.split())

    def pause(self) -> None:
        if self.screen:
            try:
                input(f"[{self.phrase('enter')}] ")
            except (EOFError, KeyboardInterrupt):
                self.out.print()
                raise Quit from None

    def page(self, lines: list[Text]) -> None:
        """Show lines page by page."""
        if not self.screen:
            for line in lines:
                self.out.print(line)
            return
        size = max(4, self.out.height - 2)
        for start in range(0, len(lines) or 1, size):
            self.out.clear()
            for line in lines[start : start + size]:
                self.out.print(line)
            self.pause()

    def hand_over(self, seat: int) -> None:
        if self.screen:
            self.out.clear()
        self.out.print(self.phrase("hand_over", NAMES[seat]))
        self.pause()

    def titles(self) -> tuple[str, str]:
        people = self.session.people
        you = self.phrase("you") if len(people) == 1 else ""
        first, second = (
            NAMES[seat] + (you if seat in people else self.phrase("computer", self.session.level.name(self.lang)))
            for seat in (0, 1)
        )
        return first, second

    def draw(self, seat: int) -> list[Text]:
        session = self.session
        board = TextBoard(session.prompts[self.lang], self.titles())
        return drawn(board.draw(session.game.view(seat), seat, session.game.regulation.text, self.out.width))

    def show(self, seat: int) -> None:
        """Show the board, the log, the prompt and the options."""
        session = self.session
        width = self.out.width
        decision = session.decision
        above = self.draw(seat)
        labels = [word.label(self.lang) for word in decision.options]
        prompt = coloured(decision.prompt_in(self.lang), "bold yellow")
        below = prompt.wrap(self.out, width)[:] + choices(labels, width)
        if draft_text := decision.draft_text(self.lang):
            below.insert(0, coloured(truncate(draft_text, width), "yellow"))
        if self.message:
            below += Text(self.message, style="red").wrap(self.out, width)[:]
        log = [line for entry in session.log for line in entry.short.get((self.lang, seat), ())]
        room = self.out.height - len(above) - len(below) - 2 if self.screen else 8
        if self.screen:
            self.out.clear()
        for line in above:
            self.out.print(line, overflow="ellipsis", no_wrap=True)
        self.out.print(Text("─" * width, style="dim"))
        for text in log[-max(1, room) :]:
            self.out.print(coloured(truncate(text, width), "dim"), no_wrap=True)
        for line in below:
            self.out.print(line, no_wrap=True)

    def after_words(self) -> str:
        return self.phrase("after")

    def finished(self) -> bool:
        """Show the result; return True if a choice was undone."""
        session = self.session
        seat = self.viewer if self.viewer >= 0 else 0
        self.viewer = seat
        outcome = session.game.outcome()
        assert outcome is not None
        speaker = session.prompts[self.lang]
        while True:
            if self.screen:
                self.out.clear()
            for line in self.draw(seat):
                self.out.print(line, no_wrap=True)
            self.out.print(Text("─" * self.out.width, style="dim"))
            log = [line for entry in session.log for line in entry.short.get((self.lang, seat), ())]
            for text in log[-5:]:
                self.out.print(coloured(truncate(text, self.out.width), "dim"))
            result = speaker.result(outcome.winner, outcome.reason)
            self.out.print(Text(result, style="bold"))
            if not self.screen:
                return False
            if self.message:
                self.out.print(Text(self.message, style="red"))
            self.out.print(self.after_words())
            text = self.read()
            self.message = ""
            word, _, rest = text.partition(" ")
            command = COMMANDS.get(word.casefold(), "")
            if not text or command == "quit":
                self.print_final(result)
                return False
            if command == "undo":
                if session.undo():
                    return True
                self.message = self.phrase("no_undo")
            elif command in ("log", "save", "lang", "help"):
                self.command(command, rest.strip())
                speaker = session.prompts[self.lang]


def choices(labels: list[str], width: int) -> list[Text]:
    """Return numbered labels in as many columns as fit, each as wide as necessary."""
    items = [truncate(f"{number:>2} {label}", width) for number, label in enumerate(labels, 1)]
    rows, columns = 0, [0]
    while True:
        rows += 1
        columns = [max(cell_len(item) for item in items[at : at + rows]) + 2 for at in range(0, len(items), rows)]
        if sum(columns) - 2 <= width:
            break
    lines: list[Text] = []
    for row in range(rows):
        line = Text()
        for item, column in zip(items[row::rows], columns, strict=False):
            shown = coloured(item)
            shown.stylize("bold cyan", 0, 2)
            line.append_text(shown)
            line.append(" " * (column - cell_len(item)))
        line.rstrip()
        lines.append(line)
    return lines
