/**
 * What stands on a board, from one scene to the next: who moves, who turns which way round, who comes and goes.
 */

import type { Sprite } from "../lib/types";

export interface Drawn {
  id: string;
  symbol: string;
  x: number;
  y: number;
  angle: number; // degrees, beyond 360 where it went round
  layer: number;
  badge: string;
  seat: number;
  leaving: boolean; // not in the scene any more; shown until it has faded
}

/** The short way round: from 315 degrees to 0 is one eighth on, not seven back. */
export function turnTo(angle: number, turn: number): number {
  const left = (((turn * 45 - angle) % 360) + 540) % 360;
  return angle + left - 180;
}

/** The sprites of a scene as they are drawn after those before. Who is gone stays once more, leaving. */
export function advance(before: ReadonlyMap<string, Drawn>, sprites: readonly Sprite[], symbolOf: (sprite: Sprite) => string): Map<string, Drawn> {
  const after = new Map<string, Drawn>();
  for (const sprite of sprites) {
    const symbol = symbolOf(sprite);
    const old = before.get(sprite.id);
    // Another shape is a new thing to see: it does not turn from where the old one stood.
    const angle = old && !old.leaving && old.symbol === symbol ? turnTo(old.angle, sprite.turn) : sprite.turn * 45;
    after.set(sprite.id, { id: sprite.id, symbol, x: sprite.x, y: sprite.y, angle, layer: sprite.layer, badge: sprite.badge, seat: sprite.seat, leaving: false });
  }
  for (const old of before.values()) {
    if (!old.leaving && !after.has(old.id)) after.set(old.id, { ...old, badge: "", leaving: true });
  }
  return after;
}

/** Those that are still there. */
export function withoutLeaving(drawn: ReadonlyMap<string, Drawn>): Map<string, Drawn> {
  return new Map([...drawn].filter(([, one]) => !one.leaving));
}

/** From the ground up, each layer in the order of its sprites. */
export function inLayers(drawn: ReadonlyMap<string, Drawn>): [layer: number, Drawn[]][] {
  const layers = new Map<number, Drawn[]>();
  for (const one of drawn.values()) {
    const layer = layers.get(one.layer);
    if (layer) layer.push(one);
    else layers.set(one.layer, [one]);
  }
  return [...layers].sort(([a], [b]) => a - b);
}
