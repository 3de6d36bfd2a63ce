import { expect, test } from "vitest";
import { cardPieces } from "../src/core/names";
import { cardAt, joinTexts, plainText } from "../src/core/draft_types";

const names = { p1: "You", p2: "Kai" };

test("a text gets the players' names where the server has marked them", () => {
  expect(plainText({ text: "P2's ♠5", spans: [{ start: 0, end: 2, ref: "seat:p2" }] }, names)).toBe("Kai's ♠5");
});
test("texts that are joined keep their marks", () => {
  const found = joinTexts(
    [{ text: "one" }, { text: "" }, { text: "P2's two", spans: [{ start: 0, end: 2, ref: "seat:p2" }] }],
    " · ",
  );
  expect(plainText(found, names)).toBe("one · Kai's two");
});
test("a card's place has an owner", () => {
  expect(cardAt("card:p2:S7")).toBe("S7");
  expect(cardAt("unit:p2:S7")).toBe("");
});
test("a card keeps the bracket before it and the stop behind it on its line", () => {
  expect(cardPieces("「ダウン」（♠A）は無効になる")).toEqual([
    { text: "「ダウン」" },
    { text: "A", suit: "S", sign: "♠", before: "（", after: "）" },
    { text: "は無効になる" },
  ]);
});
test("a card in brackets stays with the numbered thing it tells of", () => {
  const pieces = (text: string): string[] =>
    cardPieces(text).map((piece) => (piece.before ?? "") + (piece.sign ?? "") + piece.text + (piece.after ?? ""));
  expect(pieces("drive bulwark 1 (♦2), bulwark 2 (♦3)")).toEqual(["drive ", "bulwark 1 (♦2),", " ", "bulwark 2 (♦3)"]);
  expect(pieces("あなたの防壁1（♦2）をドライブ")).toEqual(["あなたの", "防壁1（♦2）", "をドライブ"]);
});
