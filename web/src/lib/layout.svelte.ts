// How large the table is drawn. The style sheets say the same (tokens.css: --u); rows of cards need it as a number.

class Layout {
  width = $state(innerWidth);
  height = $state(innerHeight);
  /** a phone, or a tablet held upright: bands from top to bottom, sheets instead of a column */
  tall = $derived(this.width <= 700 || this.width <= this.height);
  /** the column with log, rules and chat stands beside the table */
  column = $derived(!this.tall && this.width >= 1100);
  /** the table's unit in pixels */
  u = $derived(
    this.tall
      ? Math.min(this.width / 390, this.height / 844)
      : Math.min(this.width / (this.width >= 1100 ? 1440 : 1140), this.height / 900),
  );

  constructor() {
    addEventListener("resize", () => {
      this.width = innerWidth;
      this.height = innerHeight;
    });
  }
}

export const layout = new Layout();
