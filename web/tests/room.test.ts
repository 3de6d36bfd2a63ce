// Before the game: `ready` is sent once, however often the button is tapped.
import { expect, test } from "vitest";
import { loadKey } from "../src/core/fair_keys";
import { room, tick, welcome } from "./line";

test("ready tapped twice on a slow line is said once", async () => {
  const made = room();
  welcome(made.line());
  await loadKey("test");
  made.room.ready("");
  made.room.ready("");
  expect(made.line().of("ready").length).toBe(1);
  made.line().hear({ type: "ack", id: made.line().last("ready").id, seq: 0 });
  await tick();
  made.room.ready(""); // for the next game
  expect(made.line().of("ready").length).toBe(2);
});

test("a deck that is refused is not what one is ready with", async () => {
  const made = room();
  welcome(made.line());
  await loadKey("test");
  made.room.ready("60 cards");
  made.line().hear({ type: "error", id: made.line().last("ready").id, code: "deck", en: "too many", ja: "多すぎます" });
  await tick();
  expect(
    made
      .line()
      .of("ready")
      .map((one) => (one as { deck?: string }).deck),
  ).toEqual(["60 cards", ""]);
});

test("a game that is over is over under whatever number the server tells of it", async () => {
  const made = room();
  welcome(made.line());
  made.line().hear({ type: "game_over", game: 7, winner: "p2", reason: "resigned", match_over: true });
  await tick();
  expect(made.room.final?.winner).toBe("p2");
  made.line().hear({ type: "room", room: { ...made.room.info!, game: 2 } }); // the next one is dealt
  expect(made.room.final).toBeNull();
});
