// The shape of a view, as docs/guide/api.md describes it; the protocol passes it through as plain data.
import type { SeatName } from "./names";

export interface Staged {
  id: number;
  action: string;
  controller: SeatName;
  keys: string[];
  virtual_keys: string[];
  target: string | null;
  source: string | null;
}

export interface Soldier {
  id: number;
  cards: string[];
  number: number;
  driven: boolean;
  new: boolean;
  kind: string;
  role: "attacker" | "blocker" | null;
  blocks: number | null;
}

export interface Bulwark {
  place: string;
  id: number;
  card: string | null;
  driven: boolean;
  new: boolean;
  role: "attacker" | "blocker" | null;
  blocks: number | null;
}

export interface Trump {
  place: string;
  open: boolean;
  card: string | null;
}

export interface SideView {
  life: number | string;
  life_known: { top: string[]; bottom: string[] };
  hand: { count: number; cards: string[] | null; known: string[] };
  grave: { count: number; top: string | null; cards: string[] | null; known: string[] };
  soldiers: Soldier[];
  bulwarks: Bulwark[];
  trumps: Trump[];
  pack: { count: number; opened: boolean; cards: string[] | null };
  aside: string[];
  used: string[];
}

export interface View {
  you: SeatName | null;
  turn: SeatName;
  chance: SeatName;
  turn_number: number;
  passed: SeatName[];
  stage: Staged[];
  resolving: Staged | null;
  p1: SideView;
  p2: SideView;
  over: unknown;
}
