import { catalogue } from "../core/i18n.svelte";
import en from "./en/bot.json";
import ja from "./ja/bot.json";

export const t = catalogue("bot", ja, en);
