// One deck: the drawings outside the page are those of the page. `npx vitest run -u tests/symbols.test.ts` writes the
// files after a drawing has changed; `python web/make_icons.py` then writes the icon's pixels.
import { readFileSync } from "node:fs";
import { mount, unmount } from "svelte";
import { expect, test } from "vitest";
import { deck, icon } from "../src/graphics/deck";
import { CARDS, sprite } from "../src/graphics/sprite";
import Card from "../src/ui/Card.svelte";

const drawn = deck(readFileSync("src/tokens.css", "utf-8"));

test("print, pictures and the icon have the drawings of the page", async () => {
  await expect(JSON.stringify(drawn, null, 1) + "\n").toMatchFileSnapshot("../../src/blackpoker/printing/symbols.json");
  await expect(icon(drawn)).toMatchFileSnapshot("../public/icon.svg");
});

test("every card of the page consists of the drawings of the deck", () => {
  const at = document.createElement("div");
  const holder = document.createElement("div");
  holder.innerHTML = `<svg>${sprite()}</svg>`;
  for (const card of [...CARDS, null]) {
    const shown = mount(Card, { target: at, props: { card } });
    const used = [...at.querySelectorAll("use")].map((one) => one.getAttribute("href")!.slice(1));
    holder.innerHTML = `<svg>${drawn.cards[card ?? "near"]!}</svg>`;
    expect([...holder.querySelectorAll("use")].map((one) => one.getAttribute("href")!.slice(1))).toEqual(used);
    expect(used.length).toBeGreaterThan(0);
    for (const id of used) expect(sprite()).toContain(`<symbol id="${id}" viewBox="${drawn.symbols[id]!.box}"`);
    void unmount(shown);
  }
});
