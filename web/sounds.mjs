// Draw every sound without audio hardware and print a table: renderings, length, loudness (LUFS, ITU-R BS.1770, the
// loudest 400 ms) and peak.
//
//   node web/sounds.mjs              the table
//   node web/sounds.mjs FOLDER       also write each rendering as a WAV file
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];

/** Return samples as a mono WAV file of 16 bits. */
function wav(data, rate) {
  const out = Buffer.alloc(44 + data.length * 2);
  out.write("RIFF", 0);
  out.writeUInt32LE(36 + data.length * 2, 4);
  out.write("WAVEfmt ", 8);
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(1, 22);
  out.writeUInt32LE(rate, 24);
  out.writeUInt32LE(rate * 2, 28);
  out.writeUInt16LE(2, 32);
  out.writeUInt16LE(16, 34);
  out.write("data", 36);
  out.writeUInt32LE(data.length * 2, 40);
  data.forEach((sample, n) => out.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32767), 44 + n * 2));
  return out;
}

const server = await createServer({ root, server: { middlewareMode: true, hmr: false, ws: false }, logLevel: "error" });
try {
  const recipes = await server.ssrLoadModule("/src/sound/recipes.ts");
  const { loudness } = await server.ssrLoadModule("/src/sound/loudness.ts");
  const { RATE } = await server.ssrLoadModule("/src/sound/wave.ts");
  if (folder) mkdirSync(folder, { recursive: true });
  const row = (...cells) =>
    console.log(cells.map((cell, n) => (n ? String(cell).padStart(11) : String(cell).padEnd(15))).join(""));
  row("sound", "renderings", "seconds", "LUFS min", "LUFS max", "peak", "ms to draw");
  let [low, high, all] = [0, -99, 0];
  for (const name of recipes.SOUNDS) {
    const begun = performance.now();
    const drawn = Array.from({ length: recipes.renderingsOf(name) }, (_, turn) => recipes.render(name, turn));
    const ms = (performance.now() - begun) / drawn.length;
    const levels = drawn.map((data) => loudness(data, RATE));
    const peak = Math.max(...drawn.map((data) => data.reduce((most, one) => Math.max(most, Math.abs(one)), 0)));
    row(
      name,
      drawn.length,
      (drawn[0].length / RATE).toFixed(2),
      Math.min(...levels).toFixed(1),
      Math.max(...levels).toFixed(1),
      peak.toFixed(2),
      ms.toFixed(1),
    );
    [low, high, all] = [Math.min(low, ...levels), Math.max(high, ...levels), all + drawn.length];
    if (folder) drawn.forEach((data, turn) => writeFileSync(join(folder, `${name}-${turn + 1}.wav`), wav(data, RATE)));
  }
  const tone = recipes.roomTone();
  row(
    "room tone",
    1,
    (tone.length / RATE).toFixed(2),
    loudness(tone, RATE).toFixed(1),
    loudness(tone, RATE).toFixed(1),
  );
  if (folder) writeFileSync(join(folder, "room-tone.wav"), wav(tone, RATE));
  console.log(
    `${all} renderings of ${recipes.SOUNDS.length} sounds, ${low.toFixed(1)} to ${high.toFixed(1)} LUFS: ±${((high - low) / 2).toFixed(1)} LU`,
  );
} finally {
  await server.close();
}
