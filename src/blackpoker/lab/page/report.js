"use strict";
(() => {
  const WORDS = {
    ja: { step: "手", turn: "ターン", back: "前の手", next: "次の手", life: "ライフ", hand: "手札", soldiers: "兵士など", bulwarks: "防壁", trumps: "切札", grave: "墓地", record: "棋譜を保存", deal: "配り" },
    en: { step: "step", turn: "turn", back: "Step back", next: "Next step", life: "life", hand: "hand", soldiers: "soldiers", bulwarks: "bulwarks", trumps: "trumps", grave: "grave", record: "Save the record", deal: "the deal" },
  };
  const root = document.documentElement;
  const pairs = JSON.parse(document.getElementById("replay-data").textContent);
  const panes = [];

  const make = (tag, text, parent) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };
  const cards = (list) => list.map((card) => card.replace(/\b([SHDC])(?=[A2-9JQK1])/g, (sign) => ({ S: "♠", H: "♡", D: "♢", C: "♣" })[sign])).join(" ") || "–";

  // One game: a slider over its steps, the move, and the table after it.
  function pane(box, game, name) {
    const title = make("h3", game.arm, box);
    if (game.missing) {
      const why = make("p", "", box);
      return { show: () => { why.textContent = game.missing[root.lang === "ja" ? 0 : 1]; } };
    }
    const bar = make("div", undefined, box);
    bar.className = "bar";
    const back = make("button", "‹", bar);
    const slider = make("input", undefined, bar);
    const next = make("button", "›", bar);
    const place = make("span", "", bar);
    back.type = next.type = "button";
    slider.type = "range";
    slider.min = 0;
    slider.max = game.frames.length - 1;
    slider.value = 0;
    title.id = slider.id = `replay-${name}`;
    title.id += "-title";
    const summary = make("div", undefined, box);
    summary.className = "move-text";
    const sides = [make("dl", undefined, box), make("dl", undefined, box)];
    const save = make("button", "", box);
    save.type = "button";
    function show() {
      const words = WORDS[root.lang];
      const at = Number(slider.value);
      const frame = game.frames[at];
      place.textContent = `${words.turn} ${frame.turn} · ${words.step} ${at} / ${game.frames.length - 1}`;
      slider.setAttribute("aria-label", `${game.arm}: ${words.step}`);
      back.setAttribute("aria-label", words.back);
      next.setAttribute("aria-label", words.next);
      back.disabled = at === 0;
      next.disabled = at === game.frames.length - 1;
      save.textContent = words.record;
      summary.replaceChildren();
      make("p", frame.text || words.deal, summary);
      for (const line of frame[root.lang]) make("p", line, summary);
      frame.sides.forEach(([life, hand, soldiers, bulwarks, trumps, grave], seat) => {
        const rows = [[`P${seat + 1}`, ""], [words.life, life], [words.hand, cards(hand)], [words.soldiers, cards(soldiers)], [words.bulwarks, cards(bulwarks)], [words.grave, grave]];
        if (trumps.length) rows.splice(5, 0, [words.trumps, cards(trumps)]);
        sides[seat].replaceChildren();
        for (const [key, value] of rows) {
          make("dt", key, sides[seat]);
          make("dd", String(value), sides[seat]);
        }
      });
    }
    const move = (by) => { slider.value = Number(slider.value) + by; show(); };
    slider.addEventListener("input", show);
    back.addEventListener("click", () => move(-1));
    next.addEventListener("click", () => move(1));
    save.addEventListener("click", () => {
      const link = make("a");
      link.href = URL.createObjectURL(new Blob([game.record], { type: "text/plain" }));
      link.download = `${name}.txt`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
    return { show };
  }

  for (const box of document.querySelectorAll(".pane")) {
    const { pair, game } = box.dataset;
    panes.push(pane(box, pairs[pair].games[game], `${pair}-${game}`));
  }

  function speak(lang) {
    root.lang = lang;
    for (const button of document.querySelectorAll("[data-lang]")) button.setAttribute("aria-pressed", String(button.dataset.lang === lang));
    for (const each of panes) each.show();
  }
  for (const button of document.querySelectorAll("[data-lang]")) button.addEventListener("click", () => speak(button.dataset.lang));
  speak(root.lang);
})();
