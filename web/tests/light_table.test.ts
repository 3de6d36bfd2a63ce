// The light table: cards stand out from the wood, and words on it are readable.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("src/tokens.css", "utf-8");
const light = css.slice(css.indexOf('[data-table="light"]'));
const onWood = light.slice(light.indexOf(".felt {"));

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
const value = (where: string, name: string): string => new RegExp(`--${name}: ([^;]+);`).exec(where)?.[1] ?? "";
const wood = ["table", "table-tall"].flatMap((name) => value(light, name).match(/#[0-9a-f]{6}/g) ?? []);

test("a card has at least 3:1 against every tone of the wood", () => {
  expect(wood.length).toBe(8);
  for (const tone of wood) expect(contrast(value(css, "washi"), tone)).toBeGreaterThanOrEqual(3);
});

test.each(["ivory", "ivory-2", "ivory-3"])("words on the wood are readable (--%s)", (name) => {
  for (const tone of wood) expect(contrast(value(onWood, name), tone)).toBeGreaterThanOrEqual(4);
});
