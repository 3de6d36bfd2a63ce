import { catalogue } from "../core/i18n.svelte";
import en from "./en/new_game.json";
import ja from "./ja/new_game.json";

export const t = catalogue("new_game", ja, en);
