// A regulation's text has a prefix for every edition but the first.
import { expect, test } from "vitest";
import { edition, format, withEdition, withFormat } from "../src/core/position";
import { editionOf, partsOf, regulationText } from "../src/core/regulation";
import { chooseEdition, settings } from "../src/core/settings.svelte";

test("a regulation is read and written again", () => {
  for (const text of ["lite+entry", "standard+constructed40+preset2+pack", "9:lite+entry16", "9:master+draft"])
    expect(regulationText(partsOf(text))).toBe(text);
  expect(partsOf("9:pro+rare_pack")).toEqual({ edition: "9", format: "pro", frame: "rare_pack", options: [] });
  expect(partsOf("pro+regular+preset4").options).toEqual(["preset4"]);
});

test("a format alone keeps its edition", () => {
  expect([editionOf("lite"), editionOf("9:lite"), editionOf("")]).toEqual(["6", "9", "6"]);
  expect(regulationText({ edition: "9", format: "lite" })).toBe("9:lite");
});

test("each edition remembers its last regulation", () => {
  settings.regulation = "pro+full";
  chooseEdition("9");
  expect(settings.regulation).toBe("9:lite+entry16");
  settings.regulation = "9:master+draft";
  chooseEdition("6");
  expect(settings.regulation).toBe("pro+full");
  chooseEdition("9");
  expect(settings.regulation).toBe("9:master+draft");
  chooseEdition("6");
});

test("a position changes its edition, and its format stays", () => {
  const nine = withEdition('format = "pro"\n[p1]\nlife = 20\n', "9");
  expect(nine).toContain('edition = "9"');
  expect([edition(nine), format(nine)]).toEqual(["9", "pro"]);
  const six = withEdition(nine, "6");
  expect(six).not.toContain("edition");
  expect([edition(six), format(six)]).toEqual(["6", "pro"]);
  expect(format(withEdition('format = "extra"\n', "9"))).toBe("master"); // Extra is a frame there
  const text = 'regulation = "9:lite+pack"\n';
  expect(edition(text)).toBe("9");
  expect(withFormat(text, "pro")).toContain('"9:pro+pack"');
});
