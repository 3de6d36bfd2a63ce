// A sample board for settings.
import type { BulwarkView, SideView, SoldierView, View } from "../../core/protocol";

function soldier(id: number, card: string, number: number, driven = false): SoldierView {
  return {
    name: card,
    id,
    cards: [card],
    number,
    base: number,
    driven,
    new: false,
    kind: "soldier",
    role: null,
    blocks: null,
  };
}
function bulwark(id: number, name: string, card: string | null, driven = false): BulwarkView {
  return { name, id, card, driven, new: false, role: null, blocks: null };
}
function side(
  life: number,
  soldiers: SoldierView[],
  bulwarks: BulwarkView[],
  cards: string[] | null,
  count: number,
): SideView {
  return {
    life,
    life_known: { top: [], bottom: [] },
    hand: { count, cards, known: [] },
    grave: { count: 0, top: null, cards: null, known: [] },
    soldiers,
    bulwarks,
    trumps: [],
    pack: null,
    aside: [],
    used: [],
    rare: null,
    fogs: [],
  };
}

export const SAMPLE: View = {
  you: "p1",
  turn: "p1",
  chance: "p1",
  turn_number: 9,
  passed: [],
  stage: [],
  resolving: null,
  decision: null,
  over: null,
  declared: [],
  p1: side(
    15,
    [soldier(1, "H5", 5), soldier(2, "DK", 13)],
    [bulwark(3, "b1", "S6"), bulwark(4, "b2", "D10")],
    ["S8", "HQ", "DJ", "C5"],
    4,
  ),
  p2: side(
    9,
    [soldier(5, "S9", 9), soldier(6, "CQ", 12)],
    [bulwark(7, "b1", null), bulwark(8, "b2", null, true)],
    null,
    3,
  ),
};
