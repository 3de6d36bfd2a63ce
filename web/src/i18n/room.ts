import { catalogue } from "../core/i18n.svelte";
import en from "./en/room.json";
import ja from "./ja/room.json";

export const t = catalogue("room", ja, en);
