import { catalogue } from "../core/i18n.svelte";
import en from "./en/analysis.json";
import ja from "./ja/analysis.json";

export const t = catalogue("analysis", ja, en);
