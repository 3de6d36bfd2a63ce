// The running tournaments of this player, followed on every screen.
import type { TournamentClient } from "./tournament.svelte";

export const followed = $state<{ clients: TournamentClient[] }>({ clients: [] });

export function followedTournament(id: string): TournamentClient | undefined {
  return followed.clients.find((one) => one.id === id);
}
