import { catalogue } from "../core/i18n.svelte";
import en from "./en/tournament.json";
import ja from "./ja/tournament.json";

export const t = catalogue("tournament", ja, en);
