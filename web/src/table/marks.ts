// Marks of the board's places: offered, chosen, paid, targeted.
export interface Marks {
  /** can be tapped now */
  offered: Set<string>;
  /** part of the draft */
  chosen: Set<string>;
  /** will be paid: the text of its tag */
  paid: Map<string, string>;
  /** use of an offered place in words: "can attack" */
  uses: Map<string, string>;
  /** target of the draft or the top request */
  aimed: Set<string>;
}
export const NO_MARKS: Marks = {
  offered: new Set(),
  chosen: new Set(),
  paid: new Map(),
  uses: new Map(),
  aimed: new Set(),
};
