import { catalogue } from "../core/i18n.svelte";
import en from "./en/profile.json";
import ja from "./ja/profile.json";

export const t = catalogue("profile", ja, en);
