import { expect, test } from "vitest";
import { inSecondPerson } from "../src/core/names";

test.each([
  [" plays Counter", true, "You play Counter"],
  [" passes.", true, "You pass."],
  [" chooses a card", true, "You choose a card"],
  [" has no life left", true, "You have no life left"],
  ["'s bulwark 1 goes", false, "your bulwark 1 goes"],
  ["'s bulwark 1", true, "Your bulwark 1"],
  [" (2 damage)", false, "you (2 damage)"],
] as const)("%s, said to the one it is about", (after, first, told) => {
  const { text, used } = inSecondPerson(after, first);
  expect(text + after.slice(used)).toBe(told);
});
