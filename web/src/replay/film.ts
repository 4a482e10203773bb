/**
 * A film as the server packs it (src/turntile/screens/html.py says how), read back into scenes.
 *
 * A frame holds only what differs from the frame before. Every so often the whole picture is
 * kept, so that a jump to any frame applies a few differences at most.
 */

import type { Edge, Mark, Outcome, Panel, Scene, Sprite } from "../lib/types";

export interface PackedFrame {
  step: number;
  inside?: boolean;
  size?: [number, number];
  title?: string;
  caption?: string;
  lines?: string[];
  ground?: [number, string][];
  sprites?: PackedSprite[];
  gone?: number[];
  marks?: [Mark["kind"], number, number, string][];
  edges?: [number, number, number][];
  panels?: number[];
}

/** Zeros and empty texts at the end are left out. */
export type PackedSprite = [id: number, symbol: number, x: number, y: number, turn?: number, layer?: number, badge?: string];

export interface PackedFilm {
  symbols: string[];
  panels: Panel[];
  frames: PackedFrame[];
  msPerFrame?: number;
  // Of a match, not of a game's short demonstration:
  game?: string;
  title?: string;
  players?: { name: string; won: boolean }[];
  outcome?: Outcome | null;
  started?: string;
}

interface Whole {
  size: [number, number];
  title: string;
  ground: string[];
  sprites: Map<number, Sprite>;
  marks: Mark[];
  edges: Edge[];
  panels: Panel[];
}

const CHECKPOINT = 50;

export class Film {
  readonly last: number;
  readonly lastStep: number;
  private readonly looks: { look: string; seat: number }[];
  private readonly checkpoints: Whole[] = [];
  private whole: Whole;
  private at = 0;

  constructor(readonly packed: PackedFilm) {
    if (packed.frames.length === 0) throw new Error("this film has no pictures");
    this.last = packed.frames.length - 1;
    this.lastStep = packed.frames[this.last]!.step;
    this.looks = packed.symbols.map(readSymbol);
    const whole: Whole = { size: [1, 1], title: "", ground: [], sprites: new Map(), marks: [], edges: [], panels: [] };
    packed.frames.forEach((frame, number) => {
      this.apply(whole, frame);
      if (number % CHECKPOINT === 0) this.checkpoints.push(copy(whole));
    });
    this.whole = copy(this.checkpoints[0]!);
  }

  frame(number: number): PackedFrame {
    return this.packed.frames[number]!;
  }

  /** The picture of a frame. Parts that did not change since the frame shown before are the same objects. */
  scene(number: number): Scene {
    if (number === this.at + 1) {
      this.apply(this.whole, this.frame(number));
    } else if (number !== this.at) {
      const mark = Math.floor(number / CHECKPOINT);
      this.whole = copy(this.checkpoints[mark]!);
      for (let next = mark * CHECKPOINT + 1; next <= number; next++) this.apply(this.whole, this.frame(next));
    }
    this.at = number;
    const { size, title, ground, sprites, marks, edges, panels } = this.whole;
    return {
      width: size[0],
      height: size[1],
      title,
      ground: [...ground],
      sprites: [...sprites.values()],
      marks,
      edges,
      panels,
      choices: [],
      focus: null,
    };
  }

  /** Where something happened last, up to a frame: what a small window should show of a large board. */
  focus(number: number): [number, number] | null {
    for (let back = number; back >= 0 && number - back <= CHECKPOINT; back--) {
      const changed = this.frame(back).sprites ?? [];
      const moved = changed.find(([, symbol]) => this.looks[symbol]!.seat >= 0) ?? changed[0];
      if (moved) return [moved[2], moved[3]];
    }
    return null;
  }

  /** The first frame that shows a step done; the last one if there is no such step. */
  frameOfStep(step: number): number {
    const found = this.packed.frames.findIndex((frame) => frame.step >= step && !frame.inside);
    return found < 0 ? this.last : found;
  }

  private apply(whole: Whole, frame: PackedFrame): void {
    if (frame.size) whole.size = frame.size;
    if (frame.title !== undefined) whole.title = frame.title;
    for (const id of frame.gone ?? []) whole.sprites.delete(id);
    for (const packed of frame.sprites ?? []) whole.sprites.set(packed[0], this.sprite(packed));
    for (const [y, row] of frame.ground ?? []) whole.ground[y] = row;
    if (frame.ground) while (whole.ground.length > 0 && whole.ground.at(-1) === "") whole.ground.pop();
    if (frame.marks) whole.marks = frame.marks.map(([kind, x, y, why]) => ({ kind, x, y, why }));
    if (frame.edges) whole.edges = frame.edges.map(([x, y, north]) => ({ x, y, side: north ? "north" : "west" }));
    if (frame.panels) whole.panels = frame.panels.map((number) => this.packed.panels[number]!);
  }

  private sprite([id, symbol, x, y, turn = 0, layer = 0, badge = ""]: PackedSprite): Sprite {
    const { look, seat } = this.looks[symbol]!;
    return { id: String(id), look, seat, x, y, turn, layer, badge };
  }
}

function copy(whole: Whole): Whole {
  return { ...whole, ground: [...whole.ground], sprites: new Map(whole.sprites) };
}

/** `cycle-1` is the look `cycle` of seat 1; other signs than letters and digits stand there as `_hex_`. */
export function readSymbol(name: string): { look: string; seat: number } {
  const [, safe, seat] = /^(.*?)(?:-(\d+))?$/.exec(name)!;
  const look = safe!.replace(/_([0-9a-f]+)_/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
  return { look, seat: seat === undefined ? -1 : Number(seat) };
}
