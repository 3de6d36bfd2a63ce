// The address of a part of a replay: the screen asks for it, and it is stored for reading without a network.

/** steps in one answer */
export const CHUNK = 60;

export function replayPath(id: string, seat: string, lang: string, first: number): string {
  return `/api/records/${encodeURIComponent(id)}/replay?seat=${seat}&lang=${lang}&first=${first}&count=${CHUNK}`;
}
