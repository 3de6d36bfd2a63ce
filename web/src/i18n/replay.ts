import { catalogue } from "../core/i18n.svelte";
import en from "./en/replay.json";
import ja from "./ja/replay.json";

export const t = catalogue("replay", ja, en);
