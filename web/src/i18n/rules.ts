import { catalogue } from "../core/i18n.svelte";
import en from "./en/rules.json";
import ja from "./ja/rules.json";

export const t = catalogue("rules", ja, en);
