// Install a wheel in Pyodide, as a notebook in the browser does, and play a game: node tools/try_pyodide.mjs WHEEL [WHEEL ...]
// Further wheels are what it needs. Pyodide is that of the static page (web/node_modules).
import { readFileSync } from "node:fs";
import { loadPyodide } from "../web/node_modules/pyodide/pyodide.mjs";

const pyodide = await loadPyodide();
for (const wheel of process.argv.slice(2)) {
  const data = readFileSync(wheel);
  pyodide.unpackArchive(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength), "wheel");
}
const played = pyodide.runPython(`
import blackpoker as bp
from blackpoker import native

game = bp.Game("master+full", seed=7)
players = (bp.opponent("easy", seed=1), bp.opponent("easy", seed=2))
while game.outcome() is None:
    game.push(players[game.player].choose(game))
assert bp.Game.from_record(game.record()).hash() == game.hash()
f"{game.outcome()} after {game.turn_number} turns, {len(game.history)} choices; native rules: {native.available()}"
`);
console.log(played);
