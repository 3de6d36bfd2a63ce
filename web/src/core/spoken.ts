// The table in words, for screen readers: cards, units, the situation.
import { t } from "./i18n.svelte";
import { cardPieces, other, rankOf, spokenCard, spokenPiece, type SeatName } from "./names";
import type { BulwarkView, RichText, SideView, SoldierView } from "./protocol";
import { richPieces } from "./rich_text";
import { rules } from "./rules.svelte";
import type { View } from "./view";

/** Return a text with its cards and signs in words: "Life 14 → 12" becomes "Life 14 to 12". */
export function spokenText(text: string): string {
  return cardPieces(text)
    .map((piece) => (piece.before ?? "") + spokenPiece(piece) + (piece.after ?? ""))
    .join("")
    .replace(/\s*→\s*/g, t("spoken_to"))
    .replace(/\s*·\s*/g, t("spoken_comma"))
    .replace(/−(?=\d)/g, t("spoken_minus"));
}

/** Return a text with the names of players and its cards in words. */
export function spokenRich(found: RichText | undefined, names: Record<SeatName, string>): string {
  if (!found?.text) return "";
  const pieces = richPieces(found.text, found.spans ?? [], names);
  return spokenText(pieces.map((piece) => (piece.before ?? "") + piece.text + (piece.after ?? "")).join(""));
}

/** Join the parts of a name; empty parts are left out. */
export function listed(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(t("spoken_comma"));
}

/** Join sentences. */
export function sentences(...parts: (string | false | null | undefined)[]): string {
  return parts
    .filter((part): part is string => !!part && part.trim() !== "")
    .map((part) => (/[.。!?！？…:：]$/.test(part.trim()) ? part.trim() : part.trim() + t("full_stop")))
    .join(t("sentence_gap"));
}

const PLAIN: Record<string, number> = { A: 1, J: 11, Q: 12, K: 13 };

/** Return the number of a soldier in words, unless its card already names it. */
function numberOf(unit: Pick<SoldierView, "cards" | "number">): string {
  const rank = rankOf(unit.cards[0] ?? "");
  const plain = PLAIN[rank] ?? Number(rank);
  return unit.cards.length === 1 && plain === unit.number && !PLAIN[rank] ? "" : t("spoken_number", unit.number);
}

/** Return what a soldier is: its cards, kind and number. */
export function soldierName(unit: Pick<SoldierView, "cards" | "kind" | "number">): string {
  const title =
    unit.kind && unit.kind !== "common_soldier" ? (rules.byId.get(`character:${unit.kind}`)?.title ?? "") : "";
  return listed(unit.cards.map(spokenCard).join(t("spoken_and")), title, numberOf(unit));
}

/** Return what a bulwark is: its place counted from the life, and its card if the reader may see it. */
export function bulwarkName(unit: Pick<BulwarkView, "name" | "card">): string {
  return listed(t("bulwark_n", unit.name.slice(1)), unit.card && spokenCard(unit.card));
}

function stateOf(unit: { driven: boolean; role: string | null }): string {
  return listed(
    t(unit.driven ? "driven" : "charged"),
    unit.role === "attacker" ? t("attacker") : unit.role === "blocker" ? t("blocker") : "",
  );
}

function sideText(side: SideView): string {
  const soldiers = side.soldiers.map((unit) => `${soldierName(unit)} ${stateOf(unit)}`).join(t("spoken_semicolon"));
  const charged = side.bulwarks.filter((unit) => !unit.driven).length;
  const trumps = side.trumps.map((trump) =>
    listed(
      trump.card ? (rules.trumpOf(trump.card)?.title ?? spokenCard(trump.card)) : "",
      !trump.open && t("face_down"),
    ),
  );
  return listed(
    `${t("life")} ${side.life}`,
    `${t("hand")} ${side.hand.count}`,
    side.soldiers.length ? `${t("soldiers")}${t("colon")}${soldiers}` : t("spoken_no_soldiers"),
    side.bulwarks.length ? t("spoken_bulwarks", side.bulwarks.length, charged) : t("spoken_no_bulwarks"),
    trumps.length > 0 && `${t("trumps")}${t("colon")}${trumps.join(t("spoken_semicolon"))}`,
  );
}

/**
 * Return the situation in one breath: turn, both sides, the stage, and the player to act. `own`: the reader plays the
 * near side.
 */
export function situationText(
  view: View,
  near: SeatName,
  given: Record<SeatName, string>,
  own: boolean,
  chance: string,
): string {
  const names = own ? { ...given, [near]: t("you") } : given;
  const stage = [...view.stage].reverse().map((one) => `${rules.title(one.action)} (${names[one.controller]})`);
  return sentences(
    listed(
      t("turn_n", view.turn_number),
      own && view.turn === near ? t("your_turn") : t("their_turn", names[view.turn]),
    ),
    ...[near, other(near)].map((seat) => `${names[seat]}${t("colon")}${sideText(view[seat])}`),
    stage.length ? `${t("stage")}${t("colon")}${stage.join(t("spoken_semicolon"))}` : t("empty_stage"),
    chance,
  );
}
