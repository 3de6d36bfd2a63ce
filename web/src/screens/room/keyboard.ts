// Keyboard shortcuts of the table.
import type { Draft } from "../../core/draft.svelte";
import { cardPlace } from "../../core/draft_types";
import { focusZone, moveFocus } from "../../core/focus";
import { optionForKey } from "../../core/keyboard_answers";
import type { SeatName } from "../../core/names";
import { settings } from "../../core/settings.svelte";

/** The parts of the screen that keys act on. */
export interface KeyTargets {
  draft: Draft;
  element: () => HTMLElement | null;
  inspected: () => string;
  /** inspect a place or rule; "" closes the inspection */
  inspect: (about: string) => void;
  setMode: () => void;
  openLog: () => void;
  closeLog: () => void;
  openHelp: () => void;
  /** read the situation in one breath */
  readSituation: () => void;
  /** repeat the last announcement */
  repeat: () => void;
  /** answer an offer of the other side; return true if there was one */
  reply: (accept: boolean) => boolean;
}

/** keys that ignore auto-repeat */
const ONCE = new Set(["p", "e"]);

/** Return the keydown handler of the table. */
export function keyHandler(on: KeyTargets): (event: KeyboardEvent) => void {
  const { draft } = on;
  const { room } = draft;

  /** Inspect the focused element. */
  function inspectFocused(target: HTMLElement): void {
    const place = target.closest<HTMLElement>("[data-place], [data-stage], [data-action]");
    if (!place) return;
    const { place: at, stage, action = "" } = place.dataset;
    const found = at ?? (stage ? `stage:${stage}` : `action:${action.replace(/@$/, "")}`);
    on.inspect(on.inspected() === found ? "" : found);
  }

  /** Move the focus to the next of these zones. */
  function go(...zones: string[]): void {
    const element = on.element();
    if (element) focusZone(element, zones);
  }

  const letters: Record<string, (target: HTMLElement) => void> = {
    escape: () => {
      on.inspect("");
      draft.cancel();
    },
    p: () => void draft.pass(),
    r: () => void draft.accept(),
    e: () => void draft.end(),
    a: () => void (draft.doing === "attack" ? draft.everybody() : draft.attackAll()),
    i: inspectFocused,
    z: inspectFocused,
    f: on.setMode,
    l: on.openLog,
    "?": on.openHelp,
    s: on.readSituation,
    w: on.repeat,
    h: () => go("hand"),
    m: () => go(`${draft.you}-soldiers`, `${draft.you}-bulwarks`, `${draft.you}-piles`),
    o: () => go(`${draft.rival}-soldiers`, `${draft.rival}-bulwarks`, `${draft.rival}-piles`),
    g: () => go("stage"),
    c: () => go("palette"),
  };

  /** Toggle holding, as the button does; without a visible button the key does nothing. */
  function hold(): void {
    if (document.querySelector(".dock [data-do=hold]"))
      room.request({ type: "assist_settings", stop_next: !room.assist?.stop_next });
  }

  /** Enter confirms; on a focused element it selects that until something is chosen. Space always selects. */
  function confirm(onButton: boolean, target: HTMLElement): boolean {
    if (!draft.ready || (onButton && (!draft.begun || target.closest(".bar, .top, .log, .stage, .column"))))
      return false;
    void draft.confirm();
    return true;
  }

  /** Answer the prompt with a key, or select a card of the hand by its number; return true if the key had a meaning. */
  function answer(key: string, seat: SeatName, onButton: boolean): boolean {
    const option = draft.doing === "choice" ? optionForKey(key, room.ask, seat, !draft.ready && !onButton) : null;
    if (option) {
      void draft.take(option);
      return true;
    }
    if (/^[yn]$/i.test(key) && on.reply(/y/i.test(key))) return true;
    if (!/^[1-9]$/.test(key)) return false;
    const card = room.view?.[seat].hand.cards?.[Number(key) - 1];
    if (card) void draft.tap(cardPlace(seat, card));
    return true;
  }

  /** Handle a key; return true if it had a meaning here. */
  function press(key: string, target: HTMLElement, repeat: boolean): boolean {
    if (room.player.busy && (key === " " || key === "ArrowRight")) {
      room.player.finish();
      return true;
    }
    const onButton = ["BUTTON", "A", "SUMMARY"].includes(target.tagName);
    const shortcut = key.length === 1 && key !== " ";
    if (shortcut && !settings.shortcuts) return false;
    if (answer(key, room.you ?? "p1", onButton)) return true;
    if (key === "Enter") return confirm(onButton, target);
    if (key === " ") {
      if (!onButton) hold();
      return !onButton;
    }
    if (key.startsWith("Arrow") || ((key === "Home" || key === "End") && target.closest("[data-zone]"))) {
      const element = on.element();
      if (element) moveFocus(element, key, target);
      return element !== null;
    }
    const letter = key.toLowerCase();
    if (!letters[letter] || (ONCE.has(letter) && repeat)) return false;
    letters[letter](target);
    return true;
  }

  return (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    if (document.querySelector("dialog[open]")) {
      if (event.key === "l") on.closeLog();
      return;
    }
    if (press(event.key, target, event.repeat)) event.preventDefault();
  };
}
