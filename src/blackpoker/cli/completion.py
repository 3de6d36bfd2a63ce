"""Shell completion: ``eval "$(blackpoker completion bash)"``. The scripts ask the program itself for the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from blackpoker.cli.choices import word_list
from blackpoker.cli.commands import COMMANDS, START, Command, Parameter

SCRIPTS: Final = {
    "bash": """\
_blackpoker() {
    local IFS=$'\\n'
    COMPREPLY=($(blackpoker --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _blackpoker blackpoker
""",
    "zsh": """\
_blackpoker() {
    local -a found
    found=("${(@f)$(blackpoker --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $found ]]; then compadd -Q -- $found; else _files; fi
}
compdef _blackpoker blackpoker
""",
    "fish": """\
function __blackpoker
    set -l line (commandline -opc) (commandline -ct)
    blackpoker --complete $line[2..-1] 2>/dev/null
end
complete -c blackpoker -a '(__blackpoker)'
""",
}


def completion(shell: str, lang: str | None = None) -> None:
    """Print the completion script of a shell."""
    print(SCRIPTS[shell], end="")


def proposals(line: list[str]) -> list[str]:
    """Return completions for the last word of a line; none where a file is expected."""
    *before, prefix = line or [""]
    name = next((word for word in before if not word.startswith("-")), "")
    if not name:
        known: Iterable[str] = [*dict.fromkeys(command.split()[0] for command in COMMANDS), *flags(START), "--version"]
    else:
        left = before[before.index(name) + 1 :]
        two = f"{name} {left[0]}" if left else name
        if two in COMMANDS and left:
            name, left = two, left[1:]
        known = argument_words(COMMANDS[name], left, prefix) if name in COMMANDS else ()
        if not left and not prefix.startswith("-"):
            known = [*known, *(command.split()[1] for command in COMMANDS if command.startswith(f"{name} "))]
    first, comma, last = prefix.rpartition(",")
    return [first + comma + word for word in known if word.startswith(last)]


def flags(command: Command) -> list[str]:
    return [flag for parameter in command.parameters for flag in parameter.flags.split()] + ["--help"]


def argument_words(command: Command, before: list[str], prefix: str) -> Iterable[str]:
    """Return the words that fit after a command and its arguments so far."""
    by_flag = {flag: parameter for parameter in command.parameters for flag in parameter.flags.split()}
    last = by_flag.get(before[-1]) if before else None
    if last is not None and last.kind != "flag":
        return parameter_words(last)
    if prefix.startswith("-"):
        return flags(command)
    given = 0
    waiting = False  # an option waits for its value
    for word in before:
        option = by_flag.get(word)
        given += option is None and not waiting and not word.startswith("-")
        waiting = option is not None and option.kind != "flag"
    arguments = [parameter for parameter in command.parameters if not parameter.flags]
    return parameter_words(arguments[given]) if given < len(arguments) else ()


def parameter_words(parameter: Parameter) -> Iterable[str]:
    return word_list(parameter.word_list) if parameter.word_list else ()
