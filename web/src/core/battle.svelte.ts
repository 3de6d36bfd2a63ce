// The attackers or blockers that are being chosen. The server answers every tap with the whole selection and its
// projected result, and the prompt has the first answer; until an answer comes only the marks change.
import { placeOf, type FightQuery, type Preview } from "./draft_types";
import type { BlockPreviews, ForecastClash, PreviewResult, Prompt } from "./protocol";
import type { Room } from "./room.svelte";

/** A tap: own units that change sides, or the attacker whose blockers are chosen next. */
export interface FightTap {
  units: string[];
  attacker: string;
}

export class Battle {
  /** the server's last answer to a tap */
  private answer = $state.raw<PreviewResult | null>(null);
  /** the taps it does not include yet */
  private pending = $state.raw<FightTap[]>([]);

  constructor(private readonly room: Room) {}

  private ask = $derived.by<Prompt | null>(() => {
    const ask = this.room.ask;
    return ask?.kind === "attackers" || ask?.kind === "blockers" ? ask : null;
  });
  private shown = $derived.by<PreviewResult | null>(() =>
    this.ask ? (this.answer ?? this.ask.preview ?? null) : null,
  );
  private selection = $derived.by<BlockPreviews | null>(() => this.shown?.blocks ?? null);
  /** the units of the answer */
  private answered = $derived.by<string[]>(() =>
    this.ask?.kind === "blockers"
      ? Object.values(this.blocks).flat()
      : (this.shown?.tokens ?? []).filter((word) => word !== "done"),
  );
  /** the units that are marked: those of the answer, changed by the taps since then */
  private marked = $derived.by<string[]>(() =>
    (this.ask?.options ?? []).flatMap(({ token }) => {
      const taps = this.pending.filter((tap) => tap.units.includes(token)).length;
      return this.answered.includes(token) === (taps % 2 === 0) ? [token] : [];
    }),
  );
  attackers = $derived.by<string[]>(() => (this.ask?.kind === "attackers" ? this.marked : []));
  blocks = $derived.by<Record<string, string[]>>(() => this.selection?.chosen ?? {});
  /** the attacker whose blockers are chosen */
  blocked = $derived.by<string>(
    () => this.pending.findLast((tap) => tap.attacker)?.attacker ?? this.selection?.attacker ?? "",
  );
  clashes = $derived.by<ForecastClash[]>(() => this.shown?.clashes ?? []);
  damage = $derived.by<Record<string, number>>(() => this.shown?.damage ?? {});
  /** the life of each player before and after the fight, as far as this seat may know it */
  lives = $derived.by<Record<string, [before: number, after: number]>>(() =>
    Object.fromEntries(
      (this.shown?.results ?? []).flatMap((one) =>
        one.kind === "damage" && (one.life ?? -1) >= 0
          ? [[one.location.replace("player:", ""), [one.previous ?? 0, one.life ?? 0]]]
          : [],
      ),
    ),
  );
  /** seats that would lose, as far as this seat may know */
  lethal = $derived.by<string[]>(() => this.shown?.lethal_for ?? []);
  warnings = $derived.by<string[]>(() => this.shown?.warnings ?? []);
  /** the answer has every tap on a unit */
  known = $derived.by<boolean>(() => this.shown !== null && !this.pending.some((tap) => tap.units.length));
  /** … and every tap on an attacker */
  previewed = $derived.by<boolean>(() => this.known && !this.pending.length);
  /** the tokens of the whole move; empty until the server has answered */
  words = $derived.by<string[]>(() => (this.known ? (this.shown?.tokens ?? []) : []));
  /** the move in the notation */
  text = $derived.by<string>(() => this.shown?.text ?? "");
  /** why the last tap changed nothing */
  problem = $derived.by<string>(() => (this.previewed ? (this.shown?.refusal ?? "") : ""));
  /** projected results of each possible blocker for one attacker, alone or with the units that block it already */
  previews = $derived.by<Preview[]>(() => {
    const clashes = new Map(this.selection?.previews.map((one) => [one.token, one.clash]));
    return (this.ask?.options ?? []).flatMap((option) => {
      const clash = clashes.get(option.token);
      return clash ? [{ option, clash }] : []; // a unit without a clash cannot block this attacker
    });
  });
  begun = $derived.by<boolean>(() => this.marked.length > 0);
  blocking = $derived.by<boolean>(() => this.ask?.kind === "blockers" && this.begun);
  /** board places of the marked units */
  places = $derived.by<string[]>(() =>
    (this.ask?.options ?? []).filter((option) => this.marked.includes(option.token)).map(placeOf),
  );

  /** Reset everything, for a new prompt or after a cancel. */
  clear(): void {
    this.answer = null;
    this.pending = [];
  }

  /** Return the tap on a place, and mark it; null if nothing can be tapped there. */
  press(place: string, rival: string): FightTap | null {
    const option = this.ask?.options.find((one) => one.location === place);
    const attacker = this.clashes.find((clash) => `unit:${rival}:${clash.attacker}` === place)?.attacker ?? "";
    return option || attacker ? this.add({ units: option ? [option.token] : [], attacker }) : null;
  }
  /** … and the tap on everybody who does not attack yet. */
  pressAll(): FightTap | null {
    const rest = (this.ask?.options ?? []).map((one) => one.token).filter((word) => word !== "done");
    return this.add({ units: rest.filter((word) => !this.marked.includes(word)), attacker: "" });
  }
  private add(tap: FightTap): FightTap {
    this.pending = [...this.pending, tap];
    return tap;
  }

  /** Return the message for a tap: the whole selection before it, so that it can be sent again. */
  query(tap: FightTap): FightQuery {
    const [unit = "", ...more] = tap.units;
    if (this.ask?.kind === "attackers") return { tokens: [...this.answered, ...more], tap: unit };
    return { blocks: this.blocks, attacker: tap.attacker || (this.selection?.attacker ?? ""), tap: unit };
  }
  /** The answer to a tap came; null: it was refused. */
  receive(tap: FightTap, answer: PreviewResult | null): void {
    this.answer = answer ?? this.answer;
    this.pending = this.pending.filter((one) => one !== tap);
  }
}
