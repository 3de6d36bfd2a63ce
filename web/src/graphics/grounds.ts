// Grounds of the table besides the lacquer and the bare wood: tokens.css has their colours.
export const GROUNDS = ["", "tatami", "moon", "leaves"] as const;
export type Ground = (typeof GROUNDS)[number];

/** Give the tables of the page this ground; an unknown name is the first one. */
export function showGround(name: string): void {
  const ground = (GROUNDS as readonly string[]).includes(name) ? name : "";
  document.documentElement.dataset.ground = ground;
}
