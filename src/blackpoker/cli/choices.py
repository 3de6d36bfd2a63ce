"""The word lists for validation and completion of parameters. Each is built on demand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

LANGUAGES: Final = ("ja", "en")
LOG_LEVELS: Final = ("debug", "info", "warning", "error")
PUZZLE_VERBS: Final = ("list", "show", "make", "check")
SHELLS: Final = ("bash", "zsh", "fish")
ADMIN_TASKS: Final = (
    "stats",
    "purge",
    "export",
    "rename",
    "mute",
    "ban",
    "lift",
    "ratings",
    "season",
    "void",
    "reports",
    "records",
    "tournaments",
    "close",
)
BOT_VERBS: Final = ("join",)


def word_list(name: str) -> Iterable[str]:
    """Return a list by its name in commands.py."""
    if name == "regulations":
        from blackpoker.ruleset import all_regulations

        return (regulation.text for regulation in all_regulations())
    if name == "rules":
        from blackpoker.ruleset.reference import pages

        return dict.fromkeys(page.id for page in pages("en"))
    if name == "editions":
        from blackpoker.ruleset import editions

        return editions()
    if name == "formats":
        from blackpoker.ruleset import edition_named

        return [format.id for format in edition_named().formats]
    if name == "puzzles":
        from blackpoker.learn.puzzles.model import by_id

        return list(by_id())
    if name == "players":
        from blackpoker.players.engine_players import LEVELS

        return LEVELS
    if name == "opponents":
        from blackpoker.ai.levels import TABLE_LEVELS

        return [*(level.id for level in TABLE_LEVELS), "hotseat"]
    return {
        "languages": LANGUAGES,
        "log_levels": LOG_LEVELS,
        "shells": SHELLS,
        "puzzle_verbs": PUZZLE_VERBS,
        "admin_tasks": ADMIN_TASKS,
        "bot_verbs": BOT_VERBS,
    }[name]
