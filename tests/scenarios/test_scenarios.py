"""Every scenario file holds (docs/notation.md). Files are named by what they prove: S-numbers, actions, our rulings."""

from pathlib import Path

import pytest

from blackpoker.cli.scenario import run_file

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path) -> None:
    results = run_file(path)
    assert results
    problems = [f"[{r.variant}] line {r.line}: {r.text}\n    {r.error}" for r in results if not r.ok]
    assert not problems, "\n".join(problems)


def test_names_match_files() -> None:
    import tomllib

    for path in FILES:
        id = tomllib.loads(path.read_text(encoding="utf-8"))["id"]
        assert id.rpartition(".")[2] == path.stem
