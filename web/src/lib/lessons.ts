// The six steps of the tutorial: positions of the engine, what the other seat says, and the event that ends each.
import type { Text } from "./i18n.svelte";
import type { Event as GameEvent } from "./protocol";

export interface Lesson {
  title: Text;
  text: Text;
  position: string;
  /** sentences of the opponent, in turn; afterwards it passes */
  rival: string[];
  done: (event: GameEvent) => boolean;
}

const by = (name: GameEvent["event"], player?: string) => (event: GameEvent) => event.event === name && (!player || event.player === player);

export const LESSONS: Lesson[] = [
  {
    title: "tut_1_title",
    text: "tut_1_text",
    position: 'format = "lite"\nturn_number = 3\n[p1]\nlife = 12\nfield = "S8 H6(d)"\nbulwarks = "D4 C3(d)"\n[p2]\nlife = 12\n',
    rival: [],
    done: by("attacked", "p1"),
  },
  {
    title: "tut_2_title",
    text: "tut_2_text",
    position: 'format = "lite"\nturn_number = 5\n[p1]\nlife = 12\nfield = "S8 H6 D3"\n[p2]\nlife = 20\nfield = "C9(d)"\n',
    rival: [],
    done: by("damaged", "p2"),
  },
  {
    title: "tut_3_title",
    text: "tut_3_text",
    position:
      'format = "lite"\nturn = "p2"\nchance = "p2"\nturn_number = 4\n[p1]\nlife = 12\nfield = "H4 D5"\n[p2]\nlife = 12\nfield = "S7"\n',
    rival: ["attack", "S7"],
    done: by("blocked", "p1"),
  },
  {
    title: "tut_4_title",
    text: "tut_4_text",
    position:
      'format = "lite"\nturn = "p2"\nchance = "p2"\nturn_number = 4\n[p1]\nlife = 12\nbulwarks = "D7 C2"\n[p2]\nlife = 12\nfield = "S7"\n',
    rival: ["attack", "S7"],
    done: by("blocked", "p1"),
  },
  {
    title: "tut_5_title",
    text: "tut_5_text",
    position: 'format = "lite"\nturn_number = 3\n[p1]\nlife = 12\nhand = "S7 H9 CK"\nbulwarks = "D2 C4"\n[p2]\nlife = 12\nbulwarks = "D5"\n',
    rival: [],
    done: by("entered", "p1"),
  },
  {
    title: "tut_6_title",
    text: "tut_6_text",
    position:
      'format = "lite"\nturn = "p2"\nchance = "p2"\nturn_number = 4\n[p1]\nlife = 12\nhand = "C8 D3"\nbulwarks = "D2"\n[p2]\nlife = 12\nhand = "S5 H4"\nbulwarks = "D6"\n',
    rival: ["summon_soldier S5 $b1"],
    done: by("negated"),
  },
];
