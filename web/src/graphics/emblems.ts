// Emblems of the trumps by id: light on a disc in the suit's colour, 100 × 100. var(--e) is the light, var(--d) the
// disc. The file is shared with printing.
import drawn from "../../../src/blackpoker/printing/emblems.json";

export const EMBLEMS: Record<string, string> = drawn;

/** The disc behind an emblem, by suit. */
export const DISCS: Record<string, string> = { S: "#241c18", C: "#17281f", H: "#7d1a12", D: "#7a3410" };
