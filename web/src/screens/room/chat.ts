// Chat phrases, and reasons for a report.
import type { Chat } from "../../core/protocol";

export type Phrase = Exclude<NonNullable<Chat["phrase"]>, "">;
export const PHRASES: Phrase[] = [
  "hello",
  "luck",
  "well_played",
  "thanks",
  "oops",
  "thinking",
  "sorry",
  "good_game",
  "again",
  "bye",
];
export const WHY = ["chat", "name", "unfair", "other"] as const;
