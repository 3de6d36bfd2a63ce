/** Games of a hundred a level wins against the one before it, over five formats: what docs/opponents.md has measured. */
export const BEATS: Record<string, number> = { casual: 70, normal: 72, strong: 75, master: 78, god: 61 };
