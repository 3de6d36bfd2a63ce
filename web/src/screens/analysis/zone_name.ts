import { t } from "../../core/i18n.svelte";
import type { Zone } from "../../core/position";

const NAMES = {
  hand: "hand",
  life: "life",
  grave: "grave",
  field: "soldiers",
  bulwarks: "bulwarks",
  trumps: "trumps",
} as const;
export const zoneName = (zone: Zone): string => t(NAMES[zone]);
