"""``blackpoker verify``: whether a record's shuffles are the ones its commitment promised."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blackpoker.cli.common import Problem


def verify(
    record: Annotated[Path, typer.Argument(help="A record of a game played on a server.")],
    commitment: Annotated[
        str, typer.Option("--commitment", help="The hash you were given before the game, if you kept it.")
    ] = "",
) -> None:
    """Play a record again and check that every shuffle comes from the secret that was promised before the game."""
    from blackpoker.server.rooms.verify import Unproven, verify_record

    try:
        text = record.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise Problem(f"cannot read {str(record)!r}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    try:
        facts = verify_record(text, commitment)
    except Unproven as error:
        typer.echo(f"not proven: {error}")
        raise typer.Exit(1) from None
    typer.echo(f"proven: {facts}")
