// An update contains a whole view or the fields that changed; both lead to a whole one.
import { expect, test } from "vitest";
import type { Update } from "../src/core/protocol";
import { wholeView, type View } from "../src/core/view";

const side = (cards: string[]) => ({ life: 5, hand: { count: cards.length, cards, known: [] } });
const view = { turn: "p1", turn_number: 3, passed: [], p1: side(["S5"]), p2: side([]) } as unknown as View;
const update = (fields: Partial<Update>) => ({ type: "update", game: 1, seq: 4, since: 3, ...fields }) as Update;

test("a whole view replaces the last one", () => {
  const next = { ...view, turn_number: 4 };
  expect(wholeView(update({ view: next }), view)).toBe(next);
});

test("changes apply to the last view, which itself stays as it was", () => {
  const before = structuredClone(view);
  const next = wholeView(update({ view_changes: { turn: "p2", "p1.life": 3 } }), view);
  expect(next).toEqual({ ...before, turn: "p2", p1: { ...before.p1, life: 3 } });
  expect(next?.p2).toBe(view.p2);
  expect(view).toEqual(before);
});

test("an update without a view has none", () => {
  expect(wholeView(update({}), view)).toBeNull();
  expect(wholeView(update({ view_changes: { turn: "p2" } }), null)).toBeNull();
});
