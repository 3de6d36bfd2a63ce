// Who this browser is: a guest, or somebody with an account.
import { get } from "./http";
import type { Myself } from "./protocol";

export const me = $state({ id: "", name: "", account: false, crest: "", player: "" });

/** Ask the server who we are. */
export async function introduce(): Promise<void> {
  const found = await get<Myself>("/api/me");
  me.name = found.name;
  me.account = found.account ?? false;
  me.crest = found.crest ?? "";
  me.player = found.player ?? "";
  me.id = found.id;
}
