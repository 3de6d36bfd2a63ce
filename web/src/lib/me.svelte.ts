// Who this browser is: a guest, or somebody with an account.
import { get } from "./http";
import type { Myself } from "./protocol";

export const me = $state<{ id: string; name: string; account: boolean; crest: string }>({ id: "", name: "", account: false, crest: "" });

/** Ask the server who we are. */
export async function introduce(): Promise<void> {
  const found = await get<Myself>("/api/me");
  me.name = found.name;
  me.account = found.account ?? false;
  me.crest = found.crest ?? "";
  me.id = found.id;
}
