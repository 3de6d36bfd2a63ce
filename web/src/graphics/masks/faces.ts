// Mask, playing card (its rank shows the strength), name and lines of each level. Unknown levels use the puppet, so
// that external players have a face too.
import { t } from "../../core/i18n.svelte";
import { rules } from "../../core/rules.svelte";
import { settings } from "../../core/settings.svelte";
import type { BackName } from "../backs";
import type { Ground } from "../grounds";
import type { MaskName } from "./drawings";

/** occasions for a line: start, own heavy hit, opponent's heavy hit, end */
export type Moment = "start" | "strikes" | "struck" | "wins" | "loses";
type Text = readonly [ja: string, en: string];

interface Face {
  mask: MaskName;
  /** a card of the deck: suit and rank */
  card: string;
  name: Text;
  /** card back and table */
  back: BackName;
  ground: Ground;
  says: Record<Moment, Text>;
}

/** step of pitch of the voice on each occasion */
export const TONE: Record<Moment, number> = { start: 0, strikes: 2, struck: -2, wins: 4, loses: -4 };

const PUPPET: Face = {
  mask: "puppet",
  card: "S5",
  name: ["からくり", "Puppet"],
  back: "mirror",
  ground: "",
  says: {
    start: ["お相手いたします。", "At your service."],
    strikes: ["カタン。", "Clack."],
    struck: ["ギギギ…", "Creak…"],
    wins: ["ねじは、まだ残っています。", "My spring is not even spent."],
    loses: ["ねじが切れました。", "My spring has run down."],
  },
};
const FACES: Record<string, Face> = {
  tanuki: {
    mask: "tanuki",
    card: "D2",
    name: ["子だぬき", "Little Tanuki"],
    back: "leaf",
    ground: "",
    says: {
      start: ["いっしょに、おぼえよう。", "Let's learn it together."],
      strikes: ["あ、あたった！", "Oh! I hit you!"],
      struck: ["ぽんっ。いたい！", "Pom! That hurt!"],
      wins: ["えっ、かっちゃった？", "What? Did I win?"],
      loses: ["つよいなあ。もう一番だれかと。", "You're good. Go and try the others!"],
    },
  },
  easy: {
    mask: "fox",
    card: "D3",
    name: ["子ぎつね", "Fox Cub"],
    back: "foxfire",
    ground: "leaves",
    says: {
      start: ["あそぼう！ まけないよ。", "Let's play! I won't lose."],
      strikes: ["えいっ！", "Take that!"],
      struck: ["いたたた…", "Ow, ow, ow…"],
      wins: ["やったあ！ もう一回！", "I did it! Again, again!"],
      loses: ["むう…、つぎはかつからね。", "Hmph. Next time I'll win."],
    },
  },
  casual: {
    mask: "jester",
    card: "H6",
    name: ["ひょっとこ", "Jester"],
    back: "festival",
    ground: "tatami",
    says: {
      start: ["ほいきた、一番やろうか。", "Well then, shall we have a round?"],
      strikes: ["ほれ、火の用心！", "Mind the fire!"],
      struck: ["あちちち！", "Hot, hot, hot!"],
      wins: ["踊らせてもらいやした。", "I'll dance to that."],
      loses: ["こりゃ一本とられた。", "You got me there."],
    },
  },
  normal: {
    mask: "soldier",
    card: "C8",
    name: ["足軽", "Foot Soldier"],
    back: "feather",
    ground: "tatami",
    says: {
      start: ["一手、願おう。", "A round, if you please."],
      strikes: ["押し通る！", "Through the line!"],
      struck: ["まだ立てる。", "Still on my feet."],
      wins: ["よい戦だった。", "A good fight."],
      loses: ["見事。", "Well fought."],
    },
  },
  strong: {
    mask: "hannya",
    card: "SK",
    name: ["般若", "Hannya"],
    back: "horns",
    ground: "leaves",
    says: {
      start: ["その手札、当ててみせよう。", "Let me tell you what you hold."],
      strikes: ["見えていた。", "I saw that coming."],
      struck: ["…面白い。", "…Interesting."],
      wins: ["読みどおり。", "Just as I read it."],
      loses: ["読み負けたか。", "Out-read, then."],
    },
  },
  master: {
    mask: "elder",
    card: "HA",
    name: ["翁", "Old Man"],
    back: "pine",
    ground: "moon",
    says: {
      start: ["ゆるりと参ろう。", "No hurry. Let us begin."],
      strikes: ["潮は満ちた。", "The tide is in."],
      struck: ["ほう、やりおる。", "Oho. Not bad."],
      wins: ["よい学びになったかの。", "A lesson for us both."],
      loses: ["いや、まいった、まいった。", "Well, well. I am beaten."],
    },
  },
  god: {
    mask: "sun",
    card: "JK",
    name: ["日輪", "The Sun"],
    back: "sunrise",
    ground: "moon",
    says: {
      start: ["千の道を見た。そなたの道は？", "I have seen a thousand paths. Which is yours?"],
      strikes: ["定めのままに。", "As it was written."],
      struck: ["ほう…、この道は初めてだ。", "Ah. A path I have not seen."],
      wins: ["夜は明けた。", "It is morning."],
      loses: ["日もまた沈む。", "Even the sun sets."],
    },
  },
};

const here = ([ja, en]: Text): string => (settings.lang === "ja" ? ja : en);
export const faceOf = (level: string | null | undefined): Face => FACES[level ?? ""] ?? PUPPET;
export const faceName = (level: string | null | undefined): string => here(faceOf(level).name);
export const faceSays = (level: string | null | undefined, moment: Moment): string => here(faceOf(level).says[moment]);
/** Return the name of a computer player; on a phone the short name of its mask. */
export function computerName(level = "", small = false): string {
  if (level === "tanuki") return faceName(level);
  return !small ? t("ai_of", rules.levelName(level)) : level in FACES ? faceName(level) : rules.levelName(level);
}
