import { catalogue } from "../core/i18n.svelte";
import en from "./en/me.json";
import ja from "./ja/me.json";

export const t = catalogue("me", ja, en);
