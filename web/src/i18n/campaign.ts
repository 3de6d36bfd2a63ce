import { catalogue } from "../core/i18n.svelte";
import en from "./en/campaign.json";
import ja from "./ja/campaign.json";

export const t = catalogue("campaign", ja, en);
