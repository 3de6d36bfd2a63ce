import { catalogue } from "../core/i18n.svelte";
import en from "./en/print.json";
import ja from "./ja/print.json";

export const t = catalogue("print", ja, en);
