/** Times as people say them: "3 minutes ago", and exactly. */

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function ago(time: number, now: number): string {
  const seconds = (time - now) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 5 ? "in a moment" : "just now";
}

export function exactly(time: number): string {
  return new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });
}

/** Within a day or two. */
export function hour(time: number): string {
  return new Date(time).toLocaleTimeString("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });
}

export function day(time: number): string {
  return new Date(time).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}
