"""Measure the loudness of every sound, rendered offline in Chromium, for the table in docs/guide/sound.md.

python web/loudness.py          print the table
python web/loudness.py --write  put it into docs/guide/sound.md

Needs Chromium, playwright and the page's packages (make web).
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.web.browser import browser, chromium  # noqa: E402

PAGE = ROOT / "docs" / "guide" / "sound.md"
#: sounds that must be audible on a phone's speaker: at least this share of the energy is above 500 Hz
ON_A_PHONE = {"drum", "strike", "taiko", "thud", "shield", "metal"}
LEAST = 0.2

MEASURE = """async ([source, name, variation]) => {
  const { Synth } = await import(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
  let seed = 7;
  const chance = () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 4294967296;
  const rate = 44100, long = 3;
  const audio = new OfflineAudioContext(2, rate * long, rate);
  const synth = new Synth(audio, chance);
  synth.turns.set(name, variation);
  synth.play(name, 0, 1, 0);
  const made = await audio.startRendering();
  const energy = buffer => {
    let sum = 0, peak = 0, best = 0, window = 0;
    const data = buffer.getChannelData(0), size = Math.round(rate * 0.4);
    for (let n = 0; n < data.length; n++) {
      sum += data[n] ** 2;
      window += data[n] ** 2 - (n >= size ? data[n - size] ** 2 : 0);
      best = Math.max(best, window / size);
      peak = Math.max(peak, Math.abs(data[n]));
    }
    return {sum, peak, best};
  };
  const whole = energy(made);
  const high = new OfflineAudioContext(1, rate * long, rate);
  const player = high.createBufferSource();
  player.buffer = made;
  let node = player;
  for (let n = 0; n < 3; n++) {
    const filter = high.createBiquadFilter();
    filter.type = 'highpass';
    filter.frequency.value = 500;
    filter.Q.value = -3; // flat up to its edge
    node = node.connect(filter);
  }
  node.connect(high.destination);
  player.start();
  const above = energy(await high.startRendering());
  return [20 * Math.log10(whole.peak), 10 * Math.log10(whole.best), above.sum / whole.sum];
}"""


def bundled() -> str:
    """Return the synthesiser as one module."""
    out = ROOT / "build" / "synth.js"
    command = [
        str(ROOT / "web/node_modules/.bin/rolldown"),
        "web/src/sound/synth.ts",
        "--format",
        "esm",
        "-o",
        str(out),
    ]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return out.read_text(encoding="utf-8")


def names() -> list[str]:
    text = (ROOT / "web/src/sound/sound.ts").read_text(encoding="utf-8")
    found = re.search(r"SOUNDS = \[(.*?)\] as const", text, re.DOTALL)
    return re.findall(r'"(\w+)"', found[1]) if found else []


def table(engine: Any) -> tuple[str, list[str]]:
    source = bundled()
    page = engine.new_page()
    page.goto("about:blank")
    rows = [
        "| sound | peak dBFS | loudest 0.4 s, dBFS | energy above 500 Hz | variations differ by |",
        "|---|---|---|---|---|",
    ]
    wrong: list[str] = []
    for name in names():
        measured = [page.evaluate(MEASURE, [source, name, variation]) for variation in range(3)]
        peak, loud, above = measured[0]
        spread = max(one[1] for one in measured) - min(one[1] for one in measured)
        rows.append(f"| {name} | {peak:.1f} | {loud:.1f} | {above:.0%} | {spread:.1f} dB |")
        if name in ON_A_PHONE and above < LEAST:
            wrong.append(f"{name}: only {above:.0%} of its energy lies above 500 Hz")
        if peak > 0:
            wrong.append(f"{name}: peaks at {peak:.1f} dBFS")
    return "\n".join(rows), wrong


def main() -> int:
    if not chromium():
        print("loudness: no Chromium is installed", file=sys.stderr)
        return 2
    with browser() as engine:
        text, wrong = table(engine)
    print(text)
    for one in wrong:
        print(one, file=sys.stderr)
    if "--write" in sys.argv:
        before = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(before[: before.index("| sound |")] + text + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
