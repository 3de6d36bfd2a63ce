import { catalogue } from "../core/i18n.svelte";
import en from "./en/overlay.json";
import ja from "./ja/overlay.json";

export const t = catalogue("overlay", ja, en);
