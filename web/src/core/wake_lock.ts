// The screen stays awake while a game is being played and the page is visible.

/** Hold the screen awake; return a function that releases it. A device that cannot, or may not, just does not. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let released = false;
  async function hold(): Promise<void> {
    if (released || document.hidden || lock || !("wakeLock" in navigator)) return;
    try {
      const held = await navigator.wakeLock.request("screen");
      held.addEventListener("release", () => (lock = lock === held ? null : lock)); // the system may take it back
      if (released) void held.release();
      else lock = held;
    } catch {
      // low battery, or not allowed in this frame
    }
  }
  const again = (): void => void hold();
  document.addEventListener("visibilitychange", again);
  void hold();
  return () => {
    released = true;
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
  };
}
