/** A film being played: where it stands, whether it runs, how fast. */

import type { Film } from "./film";

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
const USUAL_MS = 700;
const LONGEST_MOVE_MS = 320;

export interface Told {
  turn?: (step: number) => void;
  over?: () => void;
}

export class Playback {
  film = $state.raw<Film | null>(null);
  at = $state(0);
  playing = $state(false);
  speed = $state(1);
  near = $state(false); // this picture follows on the one before: things move there
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly told: Told = {}) {}

  /** How long a picture stays, in milliseconds. */
  get pace(): number {
    return (this.film?.packed.msPerFrame ?? USUAL_MS) / this.speed;
  }

  /** How long a movement from one picture to the next takes. */
  get move(): number {
    return Math.min(LONGEST_MOVE_MS, Math.round(this.pace * 0.85));
  }

  get last(): number {
    return this.film?.last ?? 0;
  }

  get step(): number {
    return this.film?.frame(this.at).step ?? 0;
  }

  load(film: Film, step: number): void {
    this.pause();
    this.at = 0;
    this.film = film;
    this.near = false;
    this.at = step > 0 ? film.frameOfStep(step) : 0;
    this.told.turn?.(this.step);
  }

  show(wanted: number): void {
    const to = Math.max(0, Math.min(this.last, wanted));
    if (to === this.at) return;
    this.near = Math.abs(to - this.at) === 1;
    this.at = to;
    this.told.turn?.(this.step);
  }

  /** By hand: stops what runs. */
  go(to: number): void {
    this.pause();
    this.show(to);
  }

  play(): void {
    if (!this.film) return;
    if (this.at >= this.last) this.show(0);
    this.playing = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.tick, this.pace);
  }

  pause(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  faster(by: number): void {
    const now = SPEEDS.findIndex((speed) => speed === this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, now + by))] ?? 1;
  }

  private readonly tick = (): void => {
    this.show(this.at + 1);
    if (this.at >= this.last) {
      this.pause();
      this.told.over?.();
    } else {
      this.timer = setTimeout(this.tick, this.pace);
    }
  };
}

/** What a key means while a film is shown; false if nothing. */
export function playKey(playback: Playback, key: string): boolean {
  const ways: Record<string, () => void> = {
    " ": () => playback.toggle(),
    k: () => playback.toggle(),
    ArrowRight: () => playback.go(playback.at + 1),
    ArrowLeft: () => playback.go(playback.at - 1),
    PageDown: () => playback.go(playback.at + 10),
    PageUp: () => playback.go(playback.at - 10),
    Home: () => playback.go(0),
    End: () => playback.go(playback.last),
    ArrowUp: () => playback.faster(1),
    ArrowDown: () => playback.faster(-1),
    "+": () => playback.faster(1),
    "-": () => playback.faster(-1),
  };
  const way = ways[key];
  way?.();
  return way !== undefined;
}
