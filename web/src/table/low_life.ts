// From a third of the first life on, the number of the life is vermilion.
import type { SideView } from "../core/protocol";

/** cards that leave the deck before the first turn: the hand, and the card that decides who begins */
const DEALT = 8;

/** Return true for a counted life of at most a third of the first one, which is all cards of the side but those dealt. */
export function isLow(side: SideView): boolean {
  if (typeof side.life !== "number") return false;
  const fielded = [...side.soldiers.map((one) => one.cards.length), ...side.bulwarks.map(() => 1)];
  const elsewhere = side.hand.count + side.grave.count + fielded.reduce((sum, cards) => sum + cards, 0);
  return 3 * side.life <= side.life + elsewhere - DEALT;
}
