/** Wins in 100 games of each level against the one below, over five formats, from docs/opponents.md. */
export const BEATS: Record<string, number> = { casual: 70, normal: 73, strong: 74, master: 74, god: 69 };
