/** Polling that rests while nobody looks. */

/** Calls `ask` at once and then every `ms`, while the window is visible; returns how to stop. */
export function whileVisible(ms: number, ask: () => unknown): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (): void => {
    clearInterval(timer);
    timer = undefined;
    if (document.visibilityState === "hidden") return;
    ask();
    timer = setInterval(ask, ms);
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
