/** Places on a common scale: the bars of the standings' intervals, and the shades of the crosstable. */

import type { Standing } from "../lib/answers";

export interface Scale {
  place(value: number): number; // per cent of the width
  zero: number;
}

/** From the lowest end of an interval to the highest, with a little room at both sides. */
export function scaleOf(standings: readonly Pick<Standing, "elo" | "margin">[]): Scale {
  const finite = standings.filter((line) => Number.isFinite(line.elo) && Number.isFinite(line.margin));
  const lowest = Math.min(0, ...finite.map((line) => line.elo - line.margin));
  const highest = Math.max(0, ...finite.map((line) => line.elo + line.margin));
  const spread = Math.max(1, highest - lowest);
  const place = (value: number): number => Math.round((2 + (96 * (value - lowest)) / spread) * 100) / 100;
  return { place, zero: place(0) };
}

/** How strongly a cell is shaded, 0 to 1, and for whom: above a half for the row's bot, below for the column's. */
export function shade(points: number, of: number): { strength: number; won: boolean } {
  const share = of > 0 ? points / of : 0.5;
  return { strength: Math.min(1, Math.abs(share - 0.5) * 2), won: share >= 0.5 };
}
