// What the board shows about places beside what lies there: what may be tapped, what is chosen, paid or aimed at.
export interface Marks {
  /** may be tapped now */
  offered: Set<string>;
  /** part of what is being put together */
  chosen: Set<string>;
  /** about to be paid: the word on its tag */
  paid: Map<string, string>;
  /** what the draft or the top request is aimed at */
  aimed: Set<string>;
}
export const NO_MARKS: Marks = { offered: new Set(), chosen: new Set(), paid: new Map(), aimed: new Set() };
