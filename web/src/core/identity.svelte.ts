// Who this browser is: a guest, or somebody with an account.
import { get, post } from "./http";
import type { Myself } from "./protocol";

export const me = $state({ id: "", name: "", account: false, crest: "", player: "" });

/** The name that was chosen; none as long as it is the one a guest is given. */
export function chosenName(): string {
  return /^Guest /.test(me.name) ? "" : me.name;
}

/** Tell the server another name, if it is one. */
export async function rename(name: string): Promise<boolean> {
  const wanted = name.trim();
  if (!wanted || wanted === me.name) return false;
  me.name = (await post<Myself>("/api/me", { name: wanted })).name;
  return true;
}

/** Ask the server who we are. */
export async function loadIdentity(): Promise<void> {
  const found = await get<Myself>("/api/me");
  me.name = found.name;
  me.account = found.account ?? false;
  me.crest = found.crest ?? "";
  me.player = found.player ?? "";
  me.id = found.id;
}
