// The open question in words, for screen readers: what is asked, the options with their prices, and the result so far.
import { comparison, combatResult, blockedByBulwark } from "./combat_text";
import type { Draft } from "./draft.svelte";
import { plainText } from "./draft_types";
import { maybe, t } from "./i18n.svelte";
import { nameOfPlace, type SeatName } from "./names";
import type { ForecastClash, Option, RichText } from "./protocol";
import { rules } from "./rules.svelte";
import { listed, sentences, spokenRich, spokenText } from "./spoken";

/** a longer list of options is counted, not read out */
const MOST_READ = 6;

export interface SpokenPrompt {
  /** the question with its options */
  question: string;
  /** price and result of what has been chosen so far */
  result: string;
}

type Names = Record<SeatName, string>;

function enumerated(words: string[]): string {
  if (words.length > MOST_READ) return t("options_n", words.length);
  return words.join(t("spoken_semicolon"));
}
function labelOf(option: Option, names: Names): string {
  return spokenRich({ text: option.label ?? option.token, spans: option.spans ?? [] }, names);
}
function costOf(letters: string): string {
  const counts = new Map<"B" | "L" | "D" | "S", number>();
  for (const letter of letters as Iterable<"B" | "L" | "D" | "S">) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts]
    .map(([letter, n]) => (n === 1 ? t(`cost_${letter}_one`) : t(`cost_${letter}`, n)))
    .join(t("spoken_comma"));
}
function resultsOf(found: { text?: RichText }[] | undefined, names: Names): string {
  return listed(...(found ?? []).map((one) => spokenRich(one.text, names)));
}
/** Return the damage and what remains of the life. */
function damageText(draft: Draft): string {
  const hurt = draft.battle.damage[draft.you] ?? 0;
  const lives = draft.battle.lives[draft.you];
  if (!hurt) return t("block_comes_none");
  return spokenText(lives ? t("block_comes_life", hurt, ...lives) : t("block_comes", hurt));
}
/** Return the projected result of one clash, with the compared numbers. */
function clashText(clash: ForecastClash): string {
  const numbers =
    blockedByBulwark(clash) || clash.blockers_total === undefined || clash.blockers_total === null
      ? ""
      : t("spoken_against", clash.number, clash.blockers_total);
  return listed(numbers || (clash.blockers?.length ? "" : comparison(clash)), combatResult(clash));
}

/** Return the question of a chance: the request to respond to, or an action of the own turn. */
export function chanceQuestion(draft: Draft, names: Names): string {
  const top = draft.room.view?.stage.at(-1);
  if (!top) return t(draft.actions.length ? "prompt_main" : "nothing_left");
  const fight = maybe(`prompt_${top.action}_${top.controller === draft.you ? "own" : "their"}`, "");
  if (fight) return fight;
  return t(
    top.controller === draft.you ? "prompt_own" : "prompt_answer",
    names[top.controller],
    rules.title(top.action),
  );
}

function chance(draft: Draft, names: Names): SpokenPrompt {
  const { ask, view } = draft.room;
  const top = view?.stage.at(-1);
  const comes = top ? resultsOf(ask?.results, names) : "";
  const actions = draft.actions.map((option) =>
    listed(rules.title(option.action ?? option.token), option.price && costOf(option.price)),
  );
  const question = sentences(
    top ? chanceQuestion(draft, names) : t(draft.actions.length ? "spoken_your_chance" : "nothing_left"),
    comes && t("spoken_comes", comes),
    actions.length > 0 && `${t("can_do")}${t("colon")}${enumerated(actions)}`,
    draft.canEnd ? t("spoken_end_key") : draft.canPass && t("spoken_pass_key"),
  );
  const sure = draft.confirmingEnd || draft.confirmingPass !== "";
  const lost = draft.confirmingEnd ? draft.endLoses : draft.confirmingPass !== "";
  return { question, result: sure ? sentences(lost && t("you_would_lose"), t("press_again")) : "" };
}

function composed(draft: Draft, names: Names): SpokenPrompt {
  const { drafted } = draft;
  if (!draft.complete) {
    const asked = spokenRich({ text: draft.prompt, spans: draft.promptMarks }, names);
    return {
      question: sentences(
        rules.title(draft.taken[0]?.word ?? ""),
        asked,
        enumerated(draft.options.filter((one) => one.token !== "done").map((one) => labelOf(one, names))),
      ),
      result: "",
    };
  }
  const price = spokenRich(drafted?.price, names);
  const results = resultsOf(drafted?.results, names);
  const units = draft.striking.map((word) =>
    spokenText(nameOfPlace(`unit:${draft.you}:${word}`, draft.room.view, names)),
  );
  return {
    question: sentences(
      units.length ? t("attack_from", listed(...units)) : spokenRich(drafted?.summary, names),
      price && t("spoken_price", price),
      results && t("spoken_comes", results),
    ),
    result: sentences(...warned(draft), t(draft.confirming ? "confirm_sure" : "spoken_enter")),
  };
}

function warned(draft: Draft): string[] {
  return draft.warnings.map((name) => maybe(`warn_${name}`, name));
}

function attack(draft: Draft, names: Names): SpokenPrompt {
  const units = (draft.room.ask?.options ?? []).filter((one) => one.token !== "done").map((one) => labelOf(one, names));
  const { attackers } = draft.battle;
  const won = draft.battle.lethal.includes(draft.rival);
  return {
    question: sentences(t("attack_pick"), units.length ? enumerated(units) : t("attack_nobody")),
    result: attackers.length
      ? sentences(
          t("attack_with", attackers.length),
          won ? t("attack_wins") : t("unblocked_n", draft.battle.damage[draft.rival] ?? 0),
          ...warned(draft),
        )
      : "",
  };
}

function block(draft: Draft, names: Names): SpokenPrompt {
  const { clashes, blocked, previews, blocks } = draft.battle;
  const unit = (seat: SeatName, word: string): string =>
    spokenText(nameOfPlace(`unit:${seat}:${word}`, draft.room.view, names));
  const at = clashes.findIndex((clash) => clash.attacker === blocked);
  const options = previews.map(
    ({ option, clash }) => `${labelOf(option, names)}${clash ? t("colon") + clashText(clash) : ""}`,
  );
  const chosen = Object.entries(blocks).flatMap(([attacker, list]) =>
    list.length
      ? [
          t(
            "spoken_blocks",
            list.map((word) => unit(draft.you, word)).join(t("spoken_and")),
            unit(draft.rival, attacker),
          ),
        ]
      : [],
  );
  return {
    question: sentences(
      at >= 0 && `${t("spoken_attacker", at + 1, clashes.length)}${t("colon")}${unit(draft.rival, blocked)}`,
      options.length ? `${t("spoken_blockers")}${t("colon")}${enumerated(options)}` : t("spoken_no_blockers"),
    ),
    result: sentences(
      ...chosen,
      damageText(draft),
      draft.battle.lethal.includes(draft.you) && t("you_would_lose"),
      draft.confirming && t("confirm_sure"),
    ),
  };
}

function choice(draft: Draft, names: Names): SpokenPrompt {
  const { ask } = draft.room;
  const options = draft.open
    .filter((option) => option.token !== "done")
    .map((option) => listed(labelOf(option, names), resultsOf(option.results, names)));
  const chosen = draft.taken.map((one) => spokenRich(one.label, names));
  return {
    question: sentences(spokenRich({ text: ask?.prompt ?? "", spans: ask?.spans ?? [] }, names), enumerated(options)),
    result: sentences(
      chosen.length > 0 && t("spoken_chosen", listed(...chosen)),
      draft.complete && resultsOf(draft.drafted?.results, names),
      ...warned(draft),
      draft.confirmingWord && t("you_would_lose"),
      draft.confirming ? t("confirm_sure") : draft.ready && draft.complete && t("spoken_enter"),
    ),
  };
}

/** Return the open question in words; both parts are empty while there is none. */
export function spokenPrompt(draft: Draft, names: Names): SpokenPrompt {
  switch (draft.doing) {
    case "action":
      return draft.picked.length ? picked(draft, names) : chance(draft, names);
    case "draft":
      return composed(draft, names);
    case "attack":
      return attack(draft, names);
    case "block":
      return block(draft, names);
    case "choice":
      return choice(draft, names);
    default:
      return { question: "", result: "" };
  }
}

/** Return what the selected cards can do. */
function picked(draft: Draft, names: Names): SpokenPrompt {
  const title = draft.title
    ? spokenText(plainText(draft.title, names))
    : draft.picked.map((place) => spokenText(nameOfPlace(place, draft.room.view, names))).join(t("spoken_and"));
  const actions = draft.fitting.map((option) => rules.title(option.action ?? option.token));
  return {
    question: sentences(
      `${t("can_do_with", title)}${t("colon")}${actions.length ? enumerated(actions) : t("nothing_fits")}`,
    ),
    result: "",
  };
}
