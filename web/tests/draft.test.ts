// What is shown is what is sent, whatever the line does. The lines that are cut and doubled here are cut and doubled in a
// browser too (tests/web); these say in a moment which part is at fault.
import { expect, test } from "vitest";
import { Draft } from "../src/lib/draft.svelte";
import { ask, drafted, room, tick, update, welcome, type Line } from "./line";

const UP = { word: "up", action: "up", starts: ["card:p1:H3"] };
const END = { word: "end", action: "end" };
const PASS = { word: "pass" };

async function table(): Promise<{ draft: Draft; made: ReturnType<typeof room>; line: Line }> {
  const made = room();
  welcome(made.line());
  update(made.line(), 4, ask(4, [PASS, UP, END]));
  await tick(20);
  const draft = new Draft(made.room);
  draft.reset();
  return { draft, made, line: made.line() };
}
const words = (...said: string[]): { words: string[]; steps: never[]; says: { text: string } } => ({ words: said, steps: [], says: { text: said.join(" ") } });

test("the words on the button are the words that are said", async () => {
  const { draft, line } = await table();
  const first = draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("draft"), words("up", "H3", ">p1.H10"));
  await first;
  expect(draft.ready).toBe(true);
  void draft.confirm();
  await tick();
  expect(line.last("act").words).toEqual(["up", "H3", ">p1.H10"]);
});

test("while an answer is on its way nothing is confirmed", async () => {
  const { draft, line } = await table();
  void draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("draft"), words("up", "H3", ">p1.H10"));
  await tick();
  void draft.start(UP as never);
  await tick();
  expect(draft.ready).toBe(false);
  await draft.confirm();
  expect(line.of("act")).toEqual([]);
});

test("taps are worked off one after the other", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  void draft.reopen(1);
  await tick();
  expect(line.of("draft").length).toBe(1);
  drafted(line, line.last("draft"), words("up", "H3"));
  await tick();
  expect(line.of("draft").length).toBe(2);
  expect(line.last("draft").words).toEqual(["up"]);
});

test("an answer to what was taken back is not shown", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  await tick();
  draft.cancel();
  drafted(line, line.last("draft"), words("up", "H3"));
  await tick();
  expect(draft.taken).toEqual([]);
});

test("what is confirmed on a cut line waits, and can be taken back", async () => {
  const { draft, made, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("draft"), words("up", "H3"));
  await tick();
  line.close();
  void draft.confirm();
  await tick();
  expect(made.room.held).toBe(true);
  draft.cancel();
  expect(made.room.held).toBe(false);
  await tick(260); // it dials again
  welcome(made.line());
  update(made.line(), 4, ask(4, [PASS, UP, END]), { since: 3 });
  await tick(20);
  expect(made.lines.flatMap((one) => one.of("act"))).toEqual([]);
});

test("what waits is said once when the line is back", async () => {
  const { draft, made, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("draft"), words("up", "H3"));
  await tick();
  line.close();
  void draft.confirm();
  await tick(260);
  welcome(made.line());
  for (let n = 0; n < 2; n++) update(made.line(), 4, ask(4, [PASS, UP, END]), { since: 3 }); // and told twice
  await tick(20);
  expect(made.lines.flatMap((one) => one.of("act")).map((one) => one.words)).toEqual([["up", "H3"]]);
});

test("where it may hurt the first tap only asks", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("draft"), { ...words("up", "H3"), warn: ["lose"] });
  await tick();
  await draft.confirm();
  expect(draft.sure).toBe(true);
  expect(line.of("act")).toEqual([]);
  void draft.confirm();
  await tick();
  expect(line.of("act").length).toBe(1);
});

test("a message told twice is heard once", async () => {
  const { made, line } = await table();
  update(line, 5, null);
  update(line, 5, null);
  await tick(20);
  expect(made.room.lines.map((one) => one.text)).toEqual(["line 4", "line 5"]);
  line.hear({ type: "error", id: 1, code: "late", en: "late", ja: "遅い" });
  expect(made.room.problem).toBe("");
});

test("a card left over answers no question it was not tapped for", async () => {
  const { draft, made, line } = await table();
  draft.picked = ["card:p1:S6"];
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("draft"), words("up", "H3"));
  await tick();
  void draft.confirm();
  await tick();
  line.hear({ type: "ack", id: line.last("act").id, seq: 4 });
  update(line, 5, ask(5, [{ word: "S6", place: "card:p1:S6" }], { kind: "card" }));
  await tick(20);
  draft.reset();
  await tick();
  expect(made.lines.flatMap((one) => one.of("act")).length).toBe(1);
});
