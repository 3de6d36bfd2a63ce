// The submitted move equals the move on screen, on any connection. Lost and duplicated messages are also tested in a
// browser (tests/web); these tests show quickly which part fails.
import { expect, test } from "vitest";
import { Draft } from "../src/core/draft.svelte";
import { ask, drafted, room, tick, update, VIEW, welcome, type Line } from "./line";

const UP = { token: "up", action: "up", start_locations: ["card:p1:H3"] };
const END = { token: "end", action: "end" };
const PASS = { token: "pass" };

async function table(): Promise<{ draft: Draft; made: ReturnType<typeof room>; line: Line }> {
  const made = room();
  welcome(made.line());
  update(made.line(), 4, ask(4, [PASS, UP, END]));
  await tick(20);
  const draft = new Draft(made.room);
  draft.reset();
  return { draft, made, line: made.line() };
}
const words = (...tokens: string[]): { tokens: string[]; steps: never[]; summary: { text: string } } => ({
  tokens,
  steps: [],
  summary: { text: tokens.join(" ") },
});

test("the words on the button are the words that are said", async () => {
  const { draft, line } = await table();
  const first = draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("preview"), words("up", "H3", ">p1.H10"));
  await first;
  expect(draft.ready).toBe(true);
  void draft.confirm();
  await tick();
  expect(line.last("move").tokens).toEqual(["up", "H3", ">p1.H10"]);
});

test("while an answer is on its way nothing is confirmed", async () => {
  const { draft, line } = await table();
  void draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("preview"), words("up", "H3", ">p1.H10"));
  await tick();
  void draft.start(UP as never);
  await tick();
  expect(draft.ready).toBe(false);
  await draft.confirm();
  expect(line.of("move")).toEqual([]);
});

test("taps are worked off one after the other", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  void draft.reopen(1);
  await tick();
  expect(line.of("preview").length).toBe(1);
  drafted(line, line.last("preview"), words("up", "H3"));
  await tick();
  expect(line.of("preview").length).toBe(2);
  expect(line.last("preview").tokens).toEqual(["up"]);
});

test("an answer to what was taken back is not shown", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  await tick();
  draft.cancel();
  drafted(line, line.last("preview"), words("up", "H3"));
  await tick();
  expect(draft.taken).toEqual([]);
});

test("what is confirmed on a cut line waits, and can be taken back", async () => {
  const { draft, made, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("preview"), words("up", "H3"));
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
  expect(made.lines.flatMap((one) => one.of("move"))).toEqual([]);
});

test("what waits is said once when the line is back", async () => {
  const { draft, made, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("preview"), words("up", "H3"));
  await tick();
  line.close();
  void draft.confirm();
  await tick(260);
  welcome(made.line());
  for (let n = 0; n < 2; n++) update(made.line(), 4, ask(4, [PASS, UP, END]), { since: 3 }); // and received twice
  await tick(20);
  expect(made.lines.flatMap((one) => one.of("move")).map((one) => one.tokens)).toEqual([["up", "H3"]]);
});

test("where it may hurt the first tap only asks", async () => {
  const { draft, line } = await table();
  void draft.start(UP as never);
  await tick();
  drafted(line, line.last("preview"), { ...words("up", "H3"), warnings: ["lose"] });
  await tick();
  await draft.confirm();
  expect(draft.confirming).toBe(true);
  expect(line.of("move")).toEqual([]);
  void draft.confirm();
  await tick();
  expect(line.of("move").length).toBe(1);
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
  drafted(line, line.last("preview"), words("up", "H3"));
  await tick();
  void draft.confirm();
  await tick();
  line.hear({ type: "ack", id: line.last("move").id, seq: 4 });
  update(line, 5, ask(5, [{ token: "S6", location: "card:p1:S6" }], { kind: "card" }));
  await tick(20);
  draft.reset();
  await tick();
  expect(made.lines.flatMap((one) => one.of("move")).length).toBe(1);
});

test("a card tapped after an action that asks for one is for that action", async () => {
  const { draft, line } = await table();
  const THROW = { token: "throw", action: "throw", start_locations: ["card:p1:S6", "card:p1:S7"] };
  const SET = { token: "set_bulwark", action: "set_bulwark", cards_asked_later: ["card:p1:S6", "card:p1:S7"] };
  update(line, 5, ask(5, [PASS, SET, THROW, END]));
  await tick(20);
  draft.reset();
  void draft.start(SET as never);
  await tick();
  drafted(line, line.last("preview"), words("set_bulwark"));
  await tick();
  const asked = line.of("preview").length;
  for (const [tapped, laid] of [
    ["card:p1:S6", "card:p1:S6"],
    ["card:p1:S7", "card:p1:S7"],
    ["card:p1:S7", ""],
  ] as const) {
    void draft.tap(tapped);
    await tick();
    expect([draft.taken[0]?.word, draft.laid]).toEqual(["set_bulwark", laid]);
  }
  expect(line.of("preview").length).toBe(asked); // no other draft was requested
});

test("a card that was taken back with its action answers no later question", async () => {
  const { draft, made, line } = await table();
  const SET = { token: "set_bulwark", action: "set_bulwark", cards_asked_later: ["card:p1:S6"] };
  update(line, 5, ask(5, [PASS, SET, END]));
  await tick(20);
  draft.reset();
  void draft.tap("card:p1:S6");
  await tick();
  drafted(line, line.last("preview"), words("set_bulwark"));
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
  drafted(next, next.last("preview"), words("set_bulwark"));
  await tick();
  void draft.confirm();
  await tick();
  next.hear({ type: "ack", id: next.last("move").id, seq: 5 });
  const resolving = { action: "set_bulwark", controller: "p1" };
  update(next, 6, ask(6, [{ token: "S6", location: "card:p1:S6" }], { kind: "card" }), {
    view: { ...VIEW, resolving },
  });
  await tick(20);
  draft.reset();
  await tick();
  expect(made.lines.flatMap((one) => one.of("move")).map((one) => one.tokens)).toEqual([["set_bulwark"]]);
});

test("a plan that is refused is not shown as planned", async () => {
  const { made, line } = await table();
  line.hear({ type: "assist_settings", planned_attackers: ["D5"], mode: "auto", stops: [], stop_cards: [] });
  made.room.setPlan(["D5", "S2"]);
  expect(made.room.plan).toEqual(["D5", "S2"]);
  line.hear({ type: "error", id: line.last("plan_attack").id, code: "plan", en: "you have no soldier S2", ja: "…" });
  await tick();
  expect(made.room.plan).toEqual(["D5"]);
  expect(made.room.problem).not.toBe("");
});

const BLOCK = [{ token: "H3", location: "unit:p1:H3" }, { token: "D4", location: "unit:p1:D4" }, { token: "done" }];
const CLASHES = [
  { attacker: "S6", number: 6 },
  { attacker: "C9", number: 9 },
];
/** Return the answer to a block: the clashes, and the clash of one attacker with each unit of the list. */
function blocked(chosen: Record<string, string[]>, attacker: string, units: string[], refusal = ""): object {
  const previews = units.map((token) => ({ token, clash: { attacker, number: 6, blockers: [token] } }));
  const tokens = [...Object.values(chosen).flat(), "done"];
  return { tokens, clashes: CLASHES, blocks: { attacker, previews, chosen }, refusal };
}
/** Ask for blockers, with the answer to the empty selection. */
async function asksBlockers(line: Line, draft: Draft): Promise<void> {
  const preview = blocked({}, "S6", ["H3", "D4"]);
  update(line, 5, ask(5, BLOCK, { kind: "blockers", multiple: true, preview: preview as never }));
  await tick(20);
  draft.reset();
  await tick();
}

test("the prompt has the first answer: nothing is sent without a tap", async () => {
  const { draft, line } = await table();
  const before = line.sent.length;
  await asksBlockers(line, draft);
  expect(line.sent.length).toBe(before);
  expect(draft.battle.blocked).toBe("S6");
  expect(draft.battle.previews.map((one) => one.option.token)).toEqual(["H3", "D4"]);
  expect([draft.battle.known, draft.battle.previewed, draft.ready]).toEqual([true, true, true]);
});

test("a tap in the list of blockers sends one message with the selection before it, and is marked at once", async () => {
  const { draft, line } = await table();
  await asksBlockers(line, draft);
  const before = line.sent.length;
  void draft.tap("unit:p2:C9");
  expect([draft.battle.blocked, draft.battle.previewed]).toEqual(["C9", false]); // the previews belong to the other one
  await tick();
  expect(line.last("preview")).toMatchObject({ blocks: {}, attacker: "C9", tap: "" });
  drafted(line, line.last("preview"), blocked({}, "C9", ["H3"]));
  await tick();
  expect([line.sent.length - before, draft.battle.previewed]).toEqual([1, true]);
  expect(draft.battle.previews.map((one) => one.option.token)).toEqual(["H3"]); // D4 cannot block it
  void draft.tap("unit:p1:H3");
  expect([draft.battle.places, draft.battle.known, draft.ready]).toEqual([["unit:p1:H3"], false, false]);
  await tick();
  expect(line.last("preview")).toMatchObject({ blocks: {}, attacker: "C9", tap: "H3" });
  drafted(line, line.last("preview"), blocked({ C9: ["H3"] }, "S6", ["H3", "D4"])); // on to the next attacker
  await tick();
  expect([line.sent.length - before, draft.ready, draft.battle.blocked]).toEqual([2, true, "S6"]);
});

test("taps in a row are sent one after the other, each with the answer before it", async () => {
  const { draft, line } = await table();
  const ATTACK = ["C5", "D5"].map((token) => ({ token, location: `unit:p1:${token}` }));
  const preview = { tokens: ["done"] } as never;
  update(line, 5, ask(5, [...ATTACK, { token: "done" }], { kind: "attackers", multiple: true, preview }));
  await tick(20);
  draft.reset();
  void draft.tap("unit:p1:D5");
  void draft.everybody();
  expect(draft.battle.attackers).toEqual(["C5", "D5"]);
  await tick();
  expect(line.of("preview").map((one) => [one.tokens, one.tap])).toEqual([[[], "D5"]]);
  drafted(line, line.last("preview"), { tokens: ["D5", "done"] });
  await tick();
  expect(line.last("preview")).toMatchObject({ tokens: ["D5"], tap: "C5" });
  drafted(line, line.last("preview"), { tokens: ["C5", "D5", "done"] });
  await tick();
  expect(draft.battle.words).toEqual(["C5", "D5", "done"]);
});

test("taps on a cut line keep their marks, and are sent in their order when it is back", async () => {
  const { draft, made, line } = await table();
  await asksBlockers(line, draft);
  void draft.tap("unit:p2:C9");
  await tick();
  line.close(); // no answer
  void draft.tap("unit:p1:H3");
  await tick();
  expect([draft.battle.blocked, draft.battle.places, draft.ready]).toEqual(["C9", ["unit:p1:H3"], false]);
  expect(draft.battle.previews.map((one) => one.option.token)).toEqual(["H3", "D4"]);
  await tick(300);
  const next = made.line();
  welcome(next);
  await asksBlockers(next, draft);
  expect(next.of("preview").map((one) => [one.attacker, one.tap])).toEqual([["C9", ""]]);
  drafted(next, next.last("preview"), blocked({}, "C9", ["H3"]));
  await tick();
  expect(next.last("preview")).toMatchObject({ blocks: {}, attacker: "C9", tap: "H3" });
});

test("reasons of refusals are requested when they are shown, once", async () => {
  const { draft, made, line } = await table();
  const before = line.sent.length;
  update(line, 5, ask(5, [PASS, END]));
  await tick(20);
  draft.reset();
  await tick();
  expect(line.sent.length).toBe(before);
  const refusals = [{ action: "counter", reason: { ruling: "R-31", ja: "…", en: "no key" }, locations: [] }];
  void made.room.loadRefusals();
  await tick();
  line.hear({ type: "refusals", id: line.last("refusals").id, refusals });
  await tick();
  expect(made.room.refusals).toEqual(refusals);
  await made.room.loadRefusals();
  expect(line.of("refusals").length).toBe(1);
  update(line, 6, ask(6, [PASS, END]));
  await tick(20);
  expect(made.room.refusals).toEqual([]); // those of the prompt before
});

test("whoever would lose by letting it happen is asked twice, if there is anything else to do", async () => {
  const { draft, line } = await table();
  const actions = [{ token: "counter", action: "counter" }, { token: "pass" }];
  update(line, 5, ask(5, actions, { lethal_for: ["p1"] }));
  await tick(20);
  draft.reset();
  const settled = line.of("assist_settings").length;
  for (const let_it of [() => draft.pass(), () => draft.accept()]) {
    void let_it();
    await tick();
    expect([line.of("move").length, draft.confirmingPass !== ""]).toEqual([0, true]);
  }
  void draft.accept();
  await tick();
  expect(line.last("move").tokens).toEqual(["pass"]);
  expect(line.of("assist_settings").length).toBe(settled); // only this pass, no standing acceptance
  update(line, 6, ask(6, [{ token: "pass" }], { lethal_for: ["p1"] }));
  await tick(20);
  draft.reset();
  void draft.pass();
  await tick();
  expect(line.of("move").length).toBe(2);
});

test("a tap whose answer is lost with the line is made once", async () => {
  const { draft, made, line } = await table();
  void draft.tap("card:p1:H3");
  await tick();
  expect(draft.picked).toEqual(["card:p1:H3"]); // marked in the same frame
  const first = line.last("preview");
  line.close(); // the answer is lost
  await tick(300);
  const next = made.line();
  welcome(next);
  update(next, 4, ask(4, [PASS, UP, END]), { since: 3 });
  await tick(20);
  draft.reset();
  await tick();
  const again = next.last("preview");
  expect([again.tokens, again.picks, again.complete]).toEqual([first.tokens, first.picks, first.complete]);
  drafted(next, again, { ...words("up", "H3"), actions: ["up"] });
  await tick();
  expect(draft.picked).toEqual(["card:p1:H3"]);
  expect(draft.taken[0]?.word).toBe("up");
});

test("a card and its target have the actions of both, and their names", async () => {
  const { draft, line } = await table();
  void draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("preview"), { ...words("up", "H3"), actions: ["up"], title: { text: "♡3" } });
  await tick();
  void draft.aim("card:p1:H3", "unit:p1:H10");
  await tick();
  expect(line.last("preview").picks).toEqual(["card:p1:H3", "unit:p1:H10"]);
  drafted(line, line.last("preview"), { ...words("up", "H3"), actions: ["up"], title: { text: "♡3 + ♡10" } });
  await tick();
  expect(draft.picked).toEqual(["card:p1:H3", "unit:p1:H10"]);
  expect(draft.fitting.map((option) => option.token)).toEqual(["up"]);
  expect(draft.title?.text).toBe("♡3 + ♡10");
});

test("what the draft uses no longer is not selected", async () => {
  const { draft, line } = await table();
  void draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("preview"), { ...words("up", "H3"), picks: [], actions: [] });
  await tick();
  expect(draft.picked).toEqual([]);
  expect(draft.fitting).toEqual([]);
});

test("an illegal block is not put together, and its reason stays", async () => {
  const { draft, line } = await table();
  await asksBlockers(line, draft);
  void draft.tap("unit:p1:H3");
  await tick();
  drafted(line, line.last("preview"), blocked({}, "S6", ["D4"], "it is driven"));
  await tick();
  expect([draft.battle.blocking, draft.battle.known, draft.problem]).toEqual([false, true, "it is driven"]);
});

test("no question is asked about what has been chosen", async () => {
  const { draft, line } = await table();
  const CARDS = ["H3", "S6"].map((token) => ({ token, location: `card:p1:${token}` }));
  update(line, 5, ask(5, CARDS, { kind: "cards", multiple: true, prompt: "Discard two" }));
  await tick(20);
  draft.reset();
  expect(draft.prompt).toBe("Discard two");
  void draft.tap("card:p1:H3");
  await tick();
  drafted(line, line.last("preview"), { tokens: ["H3"], complete: false, kind: "cards", prompt: "Discard one more" });
  await tick();
  expect(draft.prompt).toBe("Discard one more");
  void draft.take(CARDS[1] as never);
  await tick();
  drafted(line, line.last("preview"), { tokens: ["H3", "S6"] });
  await tick();
  expect([draft.complete, draft.prompt]).toEqual([true, "Confirm if this is right"]);
});
