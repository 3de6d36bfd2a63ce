import { catalogue } from "../core/i18n.svelte";
import en from "./en/decks.json";
import ja from "./ja/decks.json";

export const t = catalogue("decks", ja, en);
