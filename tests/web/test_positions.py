"""The desk's functions decompose a position and rebuild it card by card: the engine reads the same position."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from blackpoker import Game
from blackpoker.ruleset import all_regulations

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
MANY = 1000
#: TypeScript stripped of its types for Node
RUN = """
import ts from "typescript";
import { readFileSync, writeFileSync } from "node:fs";
const [, , folder, out] = process.argv;
for (const name of ["cards", "regulation", "position"]) {
  const source = readFileSync(`${folder}/${name}.ts`, "utf8").replace(/from "(\\.\\/\\w+)"/g, 'from "$1.mjs"');
  const target = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(`${out}/${name}.mjs`, ts.transpileModule(source, { compilerOptions: target }).outputText);
}
const { rebuilt } = await import(`${out}/position.mjs`);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(rebuilt)));
"""


def positions(many: int) -> list[str]:
    """Return positions from random games of every regulation, except those stored as a saved state in the middle of an
    effect."""
    chance = Random("positions laid out again")
    regulations = all_regulations()
    found: list[str] = []
    while len(found) < many:
        game = Game(chance.choice(regulations), seed=chance.randrange(10**6))
        for _ in range(chance.randrange(5, 160)):
            if game.outcome() is not None:
                break
            game.push(chance.choice(list(islice(game.legal_moves, 40))))
            text = game.position()
            if "saved = " not in text and chance.random() < 0.06 and len(found) < many:
                found.append(text)
    return found


@pytest.mark.skipif(not (shutil.which("node") and (WEB / "node_modules" / "typescript").exists()), reason="needs Node")
def test_a_thousand_positions_are_laid_out_again_as_they_were(tmp_path: Path) -> None:
    texts = positions(MANY)
    assert any("attacks" in text for text in texts)
    assert any("stage = " in text for text in texts)
    assert any("+" in text.partition("field = ")[2].partition("\n")[0] for text in texts)
    script = WEB / "node_modules" / ".positions.mjs"
    script.write_text(RUN, encoding="utf-8")
    done = subprocess.run(
        ["node", str(script), str(WEB / "src" / "core"), str(tmp_path)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=WEB,
    )
    script.unlink()
    assert done.returncode == 0, done.stderr
    rebuilt = json.loads(done.stdout)
    assert len(rebuilt) == MANY
    for before, after in zip(texts, rebuilt, strict=True):
        assert Game.from_position(after).position() == before, after
