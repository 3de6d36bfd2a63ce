// Sizes of the table. The style sheets have the same values (tokens.css: --u); card rows need them as numbers.

interface Cards {
  own: number;
  far: number;
  ownWall: number;
  farWall: number;
  hand: number;
  step: number;
  gap: number;
  wallGap: number;
}
const DESK: Cards = { own: 96, far: 84, ownWall: 92, farWall: 84, hand: 116, step: 92, gap: 22, wallGap: 14 };
const TALL: Cards = { own: 60, far: 54, ownWall: 52, farWall: 48, hand: 74, step: 64, gap: 8, wallGap: 8 };
/** a tablet in portrait: wider than a phone relative to its height */
const TABLET: Cards = { own: 70, far: 61, ownWall: 60, farWall: 54, hand: 84, step: 78, gap: 16, wallGap: 12 };
const LOW: Cards = { own: 58, far: 58, ownWall: 42, farWall: 38, hand: 64, step: 56, gap: 10, wallGap: 8 };

/** lowest table of a phone below a coach box */
const LEAST = 600;
/** lowest table of a small desktop window */
const LEAST_WIDE = 480;

class Layout {
  width = $state(innerWidth);
  height = $state(innerHeight);
  /** height of the coach box */
  coach = $state(0);
  /** a phone in landscape: little height */
  low = $derived(this.height <= 520 && this.width > this.height);
  /** a phone or tablet in portrait: bands from top to bottom, sheets instead of a column */
  tall = $derived(!this.low && (this.width <= 700 || this.width <= this.height));
  /** a column with log, rules and chat beside the table */
  column = $derived(!this.tall && !this.low && this.width >= 1100);
  /** height the coach box takes from the table */
  above = $derived(
    this.column || this.low ? 0 : Math.max(0, Math.min(this.coach, this.height - (this.tall ? LEAST : LEAST_WIDE))),
  );
  /** widths and gaps of cards, in units */
  cards = $derived<Cards>(this.low ? LOW : this.tall ? (this.width > 700 ? TABLET : TALL) : DESK);
  /** the table's unit in pixels */
  u = $derived(
    this.low
      ? Math.min(this.width / 844, this.height / 390)
      : this.tall
        ? Math.min(this.width / 390, (this.height - this.above) / 844, (this.height - this.above - 186) / 658)
        : this.column
          ? Math.min(this.width / 1440, (this.width - 270) / 1140, this.height / 900)
          : Math.min(this.width / 1140, (this.height - this.above) / 900),
  );

  constructor() {
    addEventListener("resize", () => {
      this.width = innerWidth;
      this.height = innerHeight;
    });
    $effect.root(() => {
      $effect(() => document.documentElement.style.setProperty("--above", `${this.above}px`));
    });
  }
}

export const layout = new Layout();
