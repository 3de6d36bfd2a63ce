import { catalogue } from "../core/i18n.svelte";
import en from "./en/offline.json";
import ja from "./ja/offline.json";

export const t = catalogue("offline", ja, en);
