import { catalogue } from "../core/i18n.svelte";
import en from "./en/home.json";
import ja from "./ja/home.json";

export const t = catalogue("home", ja, en);
