// Init script of a page: a connection that can be slow, doubled or cut and records the sent messages, and functions that
// compose moves by taps like a player. It knows no rules: it taps the page's options.
(() => {
  const line = (window.line = { delay: 0, double: false, downUntil: 0, sent: [], planned: [], sockets: new Set() });
  const Real = window.WebSocket;
  class Line {
    static OPEN = 1;
    constructor(url) {
      this.onopen = this.onmessage = this.onclose = null;
      this.gone = false;
      if (performance.now() < line.downUntil) {
        setTimeout(() => this.end(), 20);
        return;
      }
      this.real = new Real(url);
      this.real.onopen = (event) => this.onopen?.(event);
      this.real.onclose = () => this.end();
      this.real.onmessage = (event) => {
        for (let n = 0; n < (line.double ? 2 : 1); n++) this.later(() => this.onmessage?.({ data: event.data }));
      };
      line.sockets.add(this);
    }
    later(work) {
      const alive = () => !this.gone && work();
      if (line.delay) setTimeout(alive, line.delay);
      else alive();
    }
    get readyState() {
      return this.gone || !this.real ? 3 : this.real.readyState;
    }
    send(text) {
      const message = JSON.parse(text);
      if (message.type === "move") line.sent.push(message);
      if (message.type === "plan_attack") line.planned.push(message.attackers);
      for (let n = 0; n < (line.double && message.type === "move" ? 2 : 1); n++) this.real.send(text);
    }
    close() {
      this.real?.close();
    }
    end() {
      if (this.gone) return;
      this.gone = true;
      line.sockets.delete(this);
      this.onclose?.({});
    }
  }
  window.WebSocket = Line;
  /** Break every connection at once and keep it down for `ms`; messages on their way are lost. */
  line.cut = (ms) => {
    line.downUntil = performance.now() + ms;
    for (const socket of [...line.sockets]) {
      socket.end();
      socket.real?.close();
    }
  };

  const PATIENCE = 40000;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const palette = () => document.querySelector(".palette");
  const dock = (what) => document.querySelector(`.dock [data-do=${what}]:not(:disabled)`);
  /** Return the button that passes or ends the turn. */
  const ending = (what) => dock(what) ?? document.querySelector(`.palette [data-do=${what}]:not(:disabled)`);
  /** Return the button that cancels the draft or the selection. */
  const cancel = () => dock("cancel") ?? document.querySelector(".palette .x");
  /** Return the button that opens the sheet of all actions on a phone. */
  const sheet = () => document.querySelector(".palette .all[aria-expanded=false]");
  const words = (selector) => all(`.palette ${selector}`).map((element) => element.dataset.word);

  function look() {
    const table = document.querySelector(".table, [data-prompt]");
    const box = palette();
    const end = document.querySelector("#end-title");
    return {
      asked: table?.dataset.prompt ?? (box && box.dataset.doing !== "wait" ? "setup" : ""),
      seat: table?.dataset.seat ?? "",
      doing: box?.dataset.doing ?? "",
      kind: box?.dataset.kind ?? "",
      busy: box?.getAttribute("aria-busy") === "true",
      lost: document.querySelector("[data-lost]") !== null,
      held: document.querySelector("[data-held]") !== null,
      over: !!end && end.offsetParent !== null,
      problem: all(".palette .problem:not([data-warn]), .toast").map((element) => element.innerText).join(" "),
    };
  }
  async function until(happened, what) {
    const end = performance.now() + PATIENCE;
    for (;;) {
      document.querySelector("[data-do=uncover]")?.click(); // at one screen: the other player has taken it
      const found = happened(look());
      if (found) return look();
      if (performance.now() > end) throw new Error(`${typeof what === "string" ? what : what()} does not come: ${JSON.stringify(look())}`);
      await wait(12);
    }
  }
  /** Wait until the server has responded to the last tap and the connection is up. */
  const settled = () => until((now) => !now.busy && !now.lost && now.asked !== "", "an answer");
  const gone = (asked) => until((now) => now.over || (now.asked !== asked && !now.lost), "the next question");

  function tap(element, what) {
    if (!element) throw new Error(`${what} cannot be tapped: ${JSON.stringify({ ...look(), picks: words(".list .pick"), words: words(".word"), actions: all(".palette .action").map((one) => one.dataset.action) })}`);
    element.click();
    return wait(0);
  }
  const pick = (word) => tap(all(".palette .list .pick").find((element) => element.dataset.word === word), word);
  /** Return the element at a location of the board. */
  const at = (place) => document.querySelector(`[data-place="${CSS.escape(place)}"]`) ?? document.querySelector(`.stage [data-stage="${place.replace("stage:", "")}"] .name`);

  const text = (selector) => all(selector).map((element) => element.innerText).join(" ");
  /** Return what stands around the button: sentences, numbers and marks. */
  const around = () => ({
    prompt: text(".palette .prompt"),
    title: text(".palette header h2"),
    results: text(".palette [data-results]"),
    warnings: text(".palette [data-warn]"),
    here: all(".table [data-place]").map((element) => element.dataset.place),
    chosen: [...new Set(all("[data-place].chosen").map((element) => element.dataset.place))].sort(),
    fights: all(".palette .fight").map((row) => ({ word: row.dataset.word, text: row.innerText })),
    total: text(".palette > .result"),
  });

  /** Confirm; return the move shown on the button, its labels (a risky move needs a second tap) and what stands around it. */
  async function confirm(tries = 3) {
    await wait(0);
    const before = await settled();
    let shown = null;
    const labels = [];
    let laid = "";
    let soldiers = [];
    const seen = around();
    for (let n = 0; n < tries; n++) {
      const button = dock("confirm") ?? dock("none");
      if (!button) throw new Error(`nothing to confirm: ${JSON.stringify(look())}`);
      shown = button.dataset.do === "none" ? "done" : (button.dataset.words ?? "");
      labels.push(button.innerText);
      laid = button.dataset.laid ?? "";
      if (shown === "attack") soldiers = all(`[data-zone="${before.seat}-soldiers"] .unit.chosen`).map((unit) => unit.dataset.place.split(":")[2]);
      button.click();
      await wait(0);
      const now = look();
      if (now.asked !== before.asked || now.busy || now.held) break; // sent
      await wait(30);
      if (look().asked !== before.asked || look().busy || look().held) break;
    }
    return { shown, labels, laid, soldiers, seen };
  }
  /** Throw an error unless the offered tokens equal the engine's options. */
  function offered(selector, wanted) {
    const name = (element) => element.dataset.word ?? element.dataset.action;
    const here = all(`.palette ${selector}`).map(name).sort();
    const there = wanted.filter((word) => !["done", "pass", "end"].includes(word)).sort();
    if (here.join() !== there.join()) throw new Error(`${there} may be said, and ${here} is offered: ${JSON.stringify(look())}`);
  }

  /** Compose a request token by token, regardless of the proposal. `style`: the way of tapping. */
  async function compose(wanted, style, offers) {
    if (look().doing === "action" && !document.querySelector(".palette .x")) offered(".action", offers[0]);
    if (style === "card" && wanted[1]) {
      const card = at(`card:${look().seat}:${wanted[1]}`);
      if (card) {
        await tap(card, wanted[1]);
        await settled();
      }
    }
    if (style === "hasty") {
      // several taps before any response; their result is corrected below
      for (const element of all(".hand [data-offered], .unit[data-offered]").slice(0, 3)) element.click();
      await wait(0);
    }
    for (let n = 0; n < 90; n++) {
      await settled();
      const said = words(".draft .word");
      if (said[0] !== wanted[0]) {
        const action = all(".palette .action").find((element) => element.dataset.action === wanted[0]);
        if (action) await tap(action, wanted[0]);
        else await tap(cancel(), "cancel");
        continue;
      }
      const wrong = said.findIndex((word, place) => word !== wanted[place]);
      if (wrong >= 0) await tap(all(".palette .draft .word")[wrong], "a wrong word");
      else if (said.length < wanted.length) {
        offered(".list .pick", offers[said.length]);
        await pick(wanted[said.length]);
      }
      else if (palette().querySelector(".ok")) return;
      else await wait(8);
    }
    throw new Error(`${wanted.join(" ")} could not be put together: ${JSON.stringify({ ...look(), words: words(".word") })}`);
  }

  /** Attack by tapping soldiers, or all of them. Return the attackers shown on the board. */
  async function muster() {
    const everybody = document.querySelector(".dock [data-do=all]:not(:disabled)");
    const mine = () => all(`[data-zone="${look().seat}-soldiers"] .unit`);
    const some = mine().filter((unit) => unit.dataset.offered && !unit.classList.contains("driven"));
    if (everybody && some.length % 3 === 0) {
      await tap(everybody, "all");
      return { shown: "attack", labels: [], laid: "", soldiers: ["all"] };
    }
    if (!some.length) return null;
    some[0].click();
    await wait(0); // the effect of a tap is visible a moment later
    await settled();
    if (words(".draft .word")[0] !== "attack") {
      const action = all(".palette .action").find((element) => element.dataset.action === "attack");
      if (!action) return null; // the soldier has another action first
      await tap(action, "attack");
      await settled();
    }
    if (some[1]) some[1].click();
    await wait(0);
    await settled();
    if (words(".draft .word").join() !== "attack") return null;
    return confirm();
  }

  const robot = (window.robot = { look, settled });
  /** Navigate to another screen like a link of the site. */
  robot.go = (path) => {
    line.sent = [];
    line.planned = [];
    history.pushState({ behind: 0 }, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  };
  const side = (seat) => {
    const zone = (name) => all(`[data-zone="${seat}-${name}"] .unit`);
    const count = (pile) => document.querySelector(`[data-pile="${seat}:${pile}"] .count`)?.textContent.trim();
    const [soldiers, bulwarks] = [zone("soldiers"), zone("bulwarks")];
    return {
      life: count("life"), grave: count("grave"), soldiers: soldiers.length, bulwarks: bulwarks.length,
      driven: [...soldiers, ...bulwarks].filter((unit) => unit.classList.contains("driven")).length,
      trumps: all(`[data-zone="${seat}-piles"] .extras button.mini`).length,
    };
  };
  const board = () => ({ stage: all(".stage .item").map((item) => item.dataset.action), p1: side("p1"), p2: side("p2"), hand: all(".hand .slot").length });
  const sorted = (value) => JSON.stringify(value, (_, one) => (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one));
  /** Wait for the prompt with this seq and the engine's board. */
  robot.ready = async (seq, kind, wanted) => {
    await until((now) => now.over || (now.asked.endsWith(`/${seq}`) && !now.busy && !now.lost), `question ${seq}`);
    if (wanted && kind !== "trumps") await until(() => sorted(board()) === sorted(wanted), () => `the board ${sorted(wanted)}, here ${sorted(board())},`);
  };

  /** Play a move. Return the move shown by the page. */
  robot.say = async (kind, wanted, text, style, offers) => {
    const before = await settled();
    if (wanted.length === 1 && (wanted[0] === "pass" || wanted[0] === "end")) {
      for (let n = 0; n < 3 && look().asked === before.asked && !look().busy && !look().held; n++) {
        for (let m = 0; m < 2 && !ending(wanted[0]); m++) {
          (cancel() ?? sheet())?.click(); // cancels a draft; on a phone the button is in the sheet of all actions
          await wait(0);
          await settled();
        }
        await tap(ending(wanted[0]), wanted[0]);
        await wait(20);
      }
      return { shown: wanted[0], labels: [], laid: "" };
    }
    if (kind === "chance") {
      const mustered = style === "soldiers" ? await muster() : null;
      if (mustered) return mustered;
      await compose(wanted, style, offers);
      return confirm();
    }
    if (kind !== "blockers") offered(".list .pick", offers[0]); // for blockers only those of the selected attacker are listed
    if (kind === "attackers") {
      // earlier random taps may have chosen others: toggle the differences
      const picks = all(".palette .list .pick").filter((one) => one.classList.contains("chosen") !== wanted.includes(one.dataset.word));
      for (const one of picks) await tap(one, one.dataset.word);
      return confirm();
    }
    if (kind === "blockers") {
      for (const part of text.includes(":") ? text.split(";") : []) {
        const [attacker, blockers] = part.split(":").map((one) => one.trim());
        await settled();
        await tap(all(".palette .fight").find((element) => element.dataset.word === attacker), attacker);
        for (const word of blockers.split(" ")) {
          await settled();
          await pick(word);
        }
      }
      return confirm();
    }
    const asked = look().asked;
    const chosen = wanted.filter((word) => word !== "done");
    let last = "";
    for (let n = 0; n < chosen.length; n++) {
      await settled();
      if (look().asked !== asked) break;
      const now = words(".sentence .word");
      if (chosen.length > 1 && now.includes(chosen[n])) continue;
      if (chosen.length === 1 && all(".palette .list .pick.chosen").some((element) => element.dataset.word === chosen[n])) continue;
      last = chosen[n];
      await pick(last);
    }
    if (["yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"].includes(kind)) {
      await wait(20);
      if (look().asked === asked && !look().busy && !look().held && document.querySelector(".palette [data-warn]")) await pick(last); // a losing choice needs a second tap
      return { shown: last, labels: [], laid: "" };
    }
    return confirm();
  };

  /** Tap at random in quick succession, then confirm the move on the button. */
  robot.fidget = async (seed, taps) => {
    let n = (seed % 2147483646) + 1;
    const draw = (size) => (n = (n * 16807) % 2147483647) % size; // all products are exact in a double
    await settled();
    for (let t = 0; t < taps; t++) {
      const places = all(".hand [data-offered], .unit[data-offered], .palette .action, .palette .list .pick, .palette .word, .palette .fight");
      if (places.length) places[draw(places.length)].click();
      if (draw(2)) await wait(draw(40));
    }
    await wait(0);
    await settled();
    const button = dock("confirm");
    if (!button || !button.dataset.words) {
      cancel()?.click();
      return null;
    }
    return confirm();
  };
  robot.cancel = () => cancel()?.click();
  robot.gone = gone;
})();
