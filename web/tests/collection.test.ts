import { describe, expect, it } from "vitest";
import { collection, gamesIn, recordPlayed, seasonAt, winsOver } from "../src/core/collection.svelte";
import { merge } from "../src/core/progress_file";
import { BACKS } from "../src/graphics/backs";
import { backs, earned, STAGES, tables } from "../src/screens/campaign/rewards";

describe("the collection", () => {
  it("knows the season of a day, and its end", () => {
    for (const [day, season, year] of [
      ["2026-03-01", "spring", 2026],
      ["2026-08-31", "summer", 2026],
      ["2026-11-30", "autumn", 2026],
      ["2026-12-01", "winter", 2026],
      ["2027-02-28", "winter", 2026],
    ] as const) {
      const found = seasonAt(new Date(`${day}T12:00`));
      expect([found.season, found.year]).toEqual([season, year]);
      expect(found.ends.getTime()).toBeGreaterThan(new Date(`${day}T12:00`).getTime());
    }
  });

  it("counts a game once, and merges what two devices have won", () => {
    const day = new Date("2026-11-19T12:00");
    for (const id of ["a", "b", "b"]) recordPlayed(id, "easy", day);
    recordPlayed("c", "", day);
    expect(winsOver("easy")).toBe(2);
    expect(gamesIn("autumn")).toBe(3);
    const there = { won: { easy: ["b", "x"] }, seasons: { "2026-autumn": ["x"] } };
    const both = merge(JSON.parse(JSON.stringify(collection)), there) as typeof collection;
    expect([...both.won.easy!].sort()).toEqual(["a", "b", "x"]);
    expect(both.seasons["2026-autumn"]!.length).toBe(4);
  });

  it("has eighteen backs and five tables, each with one way to it", () => {
    expect(
      backs()
        .map((one) => one.id)
        .sort(),
    ).toEqual(Object.keys(BACKS).sort());
    expect(tables().length).toBe(5);
    expect(STAGES.length).toBe(7);
    expect(
      backs()
        .filter(earned)
        .map((one) => one.id),
    ).toEqual(["lacquer", "indigo"]);
  });
});
