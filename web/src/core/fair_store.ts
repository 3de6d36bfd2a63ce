// What the page keeps for fairness: in the browser's storage, and in memory, because private windows may refuse storage.
const memory = new Map<string, string>();

export function read<T>(key: string): T | null {
  let text = memory.get(key);
  try {
    text = localStorage.getItem(key) ?? text;
  } catch {
    // only in memory
  }
  try {
    return text === undefined ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // refused or full: the receipt lives as long as the page
  }
}

export function remove(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // as above
  }
}
