/** Games of a hundred a level wins against the one before it, over five formats: what docs/opponents.md has measured. */
export const BEATS: Record<string, number> = { casual: 70, normal: 73, strong: 74, master: 74, god: 69 };
