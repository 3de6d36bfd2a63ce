// The submitted move equals the move on screen, on any connection. Lost and duplicated messages are also tested in a
// browser (tests/web); these tests show quickly which part fails.
import { expect, test } from "vitest";
import { Draft } from "../src/core/draft.svelte";
import { ask, drafted, room, tick, update, VIEW, welcome, type Line } from "./line";

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
const words = (...said: string[]): { words: string[]; steps: never[]; says: { text: string } } => ({
  words: said,
  steps: [],
  says: { text: said.join(" ") },
});

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
  expect(made.room.waitingToSend).toBe(true);
  draft.cancel();
  expect(made.room.waitingToSend).toBe(false);
  await tick(260); // reconnect
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
  for (let n = 0; n < 2; n++) update(made.line(), 4, ask(4, [PASS, UP, END]), { since: 3 }); // and received twice
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
  expect(draft.confirming).toBe(true);
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

test("a card tapped after an action that asks for one is for that action", async () => {
  const { draft, line } = await table();
  const THROW = { word: "throw", action: "throw", starts: ["card:p1:S6", "card:p1:S7"] };
  const SET = { word: "set_bulwark", action: "set_bulwark", takes: ["card:p1:S6", "card:p1:S7"] };
  update(line, 5, ask(5, [PASS, SET, THROW, END]));
  await tick(20);
  draft.reset();
  void draft.start(SET as never);
  await tick();
  drafted(line, line.last("draft"), words("set_bulwark"));
  await tick();
  const asked = line.of("draft").length;
  for (const [tapped, laid] of [
    ["card:p1:S6", "card:p1:S6"],
    ["card:p1:S7", "card:p1:S7"],
    ["card:p1:S7", ""],
  ] as const) {
    void draft.tap(tapped);
    await tick();
    expect([draft.taken[0]?.word, draft.laid]).toEqual(["set_bulwark", laid]);
  }
  expect(line.of("draft").length).toBe(asked); // no other draft was requested
});

test("a card that was taken back with its action answers no later question", async () => {
  const { draft, made, line } = await table();
  const SET = { word: "set_bulwark", action: "set_bulwark", takes: ["card:p1:S6"] };
  update(line, 5, ask(5, [PASS, SET, END]));
  await tick(20);
  draft.reset();
  void draft.tap("card:p1:S6");
  await tick();
  drafted(line, line.last("draft"), words("set_bulwark"));
  await tick();
  expect(draft.laid).toBe("card:p1:S6");
  line.close();
  void draft.confirm();
  await tick();
  draft.cancel();
  await tick(260);
  const next = made.line();
  welcome(next);
  update(next, 5, ask(5, [PASS, SET, END]), { since: 4 });
  await tick(20);
  draft.reset();
  void draft.start(SET as never); // the same action without a card
  await tick();
  drafted(next, next.last("draft"), words("set_bulwark"));
  await tick();
  void draft.confirm();
  await tick();
  next.hear({ type: "ack", id: next.last("act").id, seq: 5 });
  const resolving = { action: "set_bulwark", controller: "p1" };
  update(next, 6, ask(6, [{ word: "S6", place: "card:p1:S6" }], { kind: "card" }), { view: { ...VIEW, resolving } });
  await tick(20);
  draft.reset();
  await tick();
  expect(made.lines.flatMap((one) => one.of("act")).map((one) => one.words)).toEqual([["set_bulwark"]]);
});

test("a plan that is refused is not shown as planned", async () => {
  const { made, line } = await table();
  line.hear({ type: "assist_state", plan: ["D5"], mode: "auto", stops: [], arm: [] });
  made.room.setPlan(["D5", "S2"]);
  expect(made.room.plan).toEqual(["D5", "S2"]);
  line.hear({ type: "error", id: line.last("plan").id, code: "plan", en: "you have no soldier S2", ja: "…" });
  await tick();
  expect(made.room.plan).toEqual(["D5"]);
  expect(made.room.problem).not.toBe("");
});

test("what is told of a fight is told of the one that is chosen", async () => {
  const { draft, line } = await table();
  const block = [{ word: "H3", place: "unit:p1:H3" }, { word: "D4", place: "unit:p1:D4" }, { word: "done" }];
  const clash = (blockers: string[]): Partial<import("../src/core/protocol").Drafted> => ({
    words: blockers,
    clashes: [
      { attacker: "S6", number: 6, blockers },
      { attacker: "C9", number: 9 },
    ],
  });
  update(line, 5, ask(5, block, { kind: "blockers", several: true }));
  await tick(20);
  draft.reset();
  await tick();
  drafted(line, line.last("draft"), clash([]));
  await tick();
  const previews = line.of("draft").slice(1);
  expect(previews.map((one) => one.text)).toEqual(["S6: H3", "S6: D4"]); // all at once: one round trip
  for (const one of previews) drafted(line, one, clash(["H3"]));
  await tick();
  expect([draft.battle.known, draft.battle.previewed]).toEqual([true, true]);
  void draft.tap("unit:p2:C9");
  await tick();
  expect(draft.battle.previewed).toBe(false); // the previews belong to the other attacker
  void draft.tap("unit:p1:H3");
  await tick();
  expect([draft.battle.known, draft.ready]).toEqual([false, false]);
});

test("a line that is cut while blockers are looked at hides none of them", async () => {
  const { draft, made, line } = await table();
  const block = [{ word: "H3", place: "unit:p1:H3" }, { word: "D4", place: "unit:p1:D4" }, { word: "done" }];
  const fight = { clashes: [{ attacker: "S6", number: 6 }] };
  update(line, 5, ask(5, block, { kind: "blockers", several: true }));
  await tick(20);
  draft.reset();
  await tick();
  drafted(line, line.last("draft"), { words: ["done"], ...fight });
  await tick();
  drafted(line, line.of("draft")[1] as never, { words: ["H3"], ...fight });
  line.close(); // D4 has no answer yet
  await tick();
  expect(draft.battle.previews.map((one) => one.option.word)).toEqual(["H3", "D4"]);
  await tick(300);
  const next = made.line();
  welcome(next);
  update(next, 5, ask(5, block, { kind: "blockers", several: true }));
  await tick(20);
  draft.reset();
  await tick();
  expect(next.of("draft").map((one) => one.text)).toEqual(["S6: H3", "S6: D4"]);
});

test("whoever would lose by letting it happen is asked twice, if there is anything else to do", async () => {
  const { draft, line } = await table();
  const actions = [{ word: "counter", action: "counter" }, { word: "pass" }];
  update(line, 5, ask(5, actions, { lethal: ["p1"] }));
  await tick(20);
  draft.reset();
  const settled = line.of("assist").length;
  for (const let_it of [() => draft.pass(), () => draft.accept()]) {
    void let_it();
    await tick();
    expect([line.of("act").length, draft.confirmingPass !== ""]).toEqual([0, true]);
  }
  void draft.accept();
  await tick();
  expect(line.last("act").words).toEqual(["pass"]);
  expect(line.of("assist").length).toBe(settled); // only this pass, no standing acceptance
  update(line, 6, ask(6, [{ word: "pass" }], { lethal: ["p1"] }));
  await tick(20);
  draft.reset();
  void draft.pass();
  await tick();
  expect(line.of("act").length).toBe(2);
});
