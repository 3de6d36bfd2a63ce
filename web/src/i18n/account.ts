import { catalogue } from "../core/i18n.svelte";
import en from "./en/account.json";
import ja from "./ja/account.json";

export const t = catalogue("account", ja, en);
