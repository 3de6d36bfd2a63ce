import { catalogue } from "../core/i18n.svelte";
import en from "./en/settings.json";
import ja from "./ja/settings.json";

export const t = catalogue("settings", ja, en);
