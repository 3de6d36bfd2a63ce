import { catalogue } from "../core/i18n.svelte";
import en from "./en/learn.json";
import ja from "./ja/learn.json";

export const t = catalogue("learn", ja, en);
