// The identity of this browser: a guest or an account.
import { get, post } from "./http";
import type { Myself } from "./protocol";

export const me = $state({ id: "", name: "", account: false, crest: "", player: "" });

/** Return the name the player chose, or "" for the default name of a guest. */
export function chosenName(): string {
  return /^Guest /.test(me.name) ? "" : me.name;
}

/** Send a new name to the server; return false if it is empty or unchanged. */
export async function rename(name: string): Promise<boolean> {
  const wanted = name.trim();
  if (!wanted || wanted === me.name) return false;
  me.name = (await post<Myself>("/api/me", { name: wanted })).name;
  return true;
}

/** Load the identity from the server. */
export async function loadIdentity(): Promise<void> {
  const found = await get<Myself>("/api/me");
  me.name = found.name;
  me.account = found.account ?? false;
  me.crest = found.crest ?? "";
  me.player = found.player ?? "";
  me.id = found.id;
}
