"""The command ``blackpoker``: one small module per sub-command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import blackpoker
from blackpoker import _build
from blackpoker.cli import analyse, arena, play, regulations, rules, serve, simulate, verify
from blackpoker.cli.common import NOTICE, Problem

app = typer.Typer(
    name="blackpoker",
    add_completion=True,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        build = "compiled by mypyc" if _build.compiled() else "plain Python"
        typer.echo(f"blackpoker {blackpoker.__version__} ({build}, Python {sys.version.split()[0]})\n{NOTICE}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Say which version and build this is."),
    ] = False,
) -> None:
    """BlackPoker. Unofficial and fan-made (非公式・ファンメイド). Without a command: serve the page and open it."""
    if context.invoked_subcommand is None:
        serve.serve(open_page=True)


app.command(name="play")(play.play)


@app.command("scenario")
def scenario_command(files: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")]) -> None:
    """Run scenario files: a position, moves, expectations."""
    from blackpoker.cli.scenario import run as run_scenarios

    for file in files:
        if not file.exists():
            raise Problem(f"there is no file {str(file)!r}")
    raise typer.Exit(run_scenarios(files))


app.command(name="rules")(rules.rules)
app.command(name="regulations")(regulations.regulations)
app.command(name="simulate")(simulate.simulate)
app.command(name="serve")(serve.serve)
app.command(name="verify")(verify.verify)
app.command(name="arena")(arena.arena)
app.command(name="analyse")(analyse.analyse_command)


@app.command("bench")
def bench_command(
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON only.")] = False,
) -> None:
    """Measure decisions and games per second, copies and views."""
    from blackpoker.cli.bench import run as measure

    raise typer.Exit(measure(json))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every mistake of the caller ends in one line and exit code 2."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    try:
        result = app(arguments, standalone_mode=False)
    except Problem as problem:
        return _complain(str(problem))
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has seen enough
        return 0
    except typer.Exit as leave:
        return leave.exit_code
    except Exception as error:
        message = getattr(error, "format_message", None)  # a usage error of the option parser
        if message is None:
            raise
        return _complain(str(message()))
    return result if isinstance(result, int) else 0


def _complain(message: str) -> int:
    print("blackpoker: " + " ".join(message.split()), file=sys.stderr)
    return 2
