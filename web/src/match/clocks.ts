/** How long a seat still has. */

import type { ClockInfo } from "../lib/types";

/** Milliseconds left of a seat's turn and bank together; null without a limit. It runs while the seat is to act. */
export function timeLeft(clock: ClockInfo | undefined, running: boolean, sinceMs: number): number | null {
  if (!clock || clock.limit_ms === null || clock.limit_ms === undefined) return null;
  return Math.max(0, clock.limit_ms - (running ? sinceMs : 0));
}

/** "1:05", and tenths where it hurries: "9.4". */
export function clockText(ms: number): string {
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
