// Settings that change in one tab reach the others, once.
import { expect, test } from "vitest";
import { receiveSettings, saveSettings, settings } from "../src/core/settings.svelte";

test("a language chosen in another tab is taken over, and is not sent back", () => {
  settings.lang = "ja";
  saveSettings();
  const key = Object.keys(localStorage)[0] ?? "";
  const other = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>;
  const newValue = JSON.stringify({ ...other, lang: "en", stops: ["end"] });
  localStorage.setItem(key, newValue);
  receiveSettings({ key, newValue });
  expect([settings.lang, settings.stops]).toEqual(["en", ["end"]]);
  saveSettings(); // as the page does when its settings change
  expect(localStorage.getItem(key)).toBe(newValue); // an equal text reaches no other tab
});

test("what other pages store changes nothing", () => {
  const before = JSON.stringify(settings);
  receiveSettings({ key: "other", newValue: '{"lang":"ja"}' });
  receiveSettings({ key: null, newValue: null });
  expect(JSON.stringify(settings)).toBe(before);
});
