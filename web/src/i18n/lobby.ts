import { catalogue } from "../core/i18n.svelte";
import en from "./en/lobby.json";
import ja from "./ja/lobby.json";

export const t = catalogue("lobby", ja, en);
