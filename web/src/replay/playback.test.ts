import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Film } from "./film";
import { playKey, Playback } from "./playback.svelte";

const film = (): Film =>
  new Film({
    symbols: [],
    panels: [],
    msPerFrame: 100,
    frames: [{ step: 0, size: [1, 1], title: "" }, { step: 1 }, { step: 2, inside: true }, { step: 2 }, { step: 3 }],
  });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a film being played", () => {
  test("goes on at its pace and tells turns and the end", () => {
    const turns: number[] = [];
    let over = 0;
    const playback = new Playback({ turn: (step) => turns.push(step), over: () => over++ });
    playback.load(film(), 0);
    playback.play();
    vi.advanceTimersByTime(250);
    expect(playback.at).toBe(2);
    expect(playback.near).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(playback.at).toBe(4);
    expect(playback.playing).toBe(false);
    expect(turns).toEqual([0, 1, 2, 2, 3]);
    expect(over).toBe(1);
  });

  test("played at its end it begins anew", () => {
    const playback = new Playback();
    playback.load(film(), 99);
    expect(playback.at).toBe(4);
    playback.play();
    expect(playback.at).toBe(0);
    expect(playback.near).toBe(false);
    playback.pause();
  });

  test("begins with the step that was asked for, not inside it", () => {
    const playback = new Playback();
    playback.load(film(), 2);
    expect(playback.at).toBe(3);
    expect(playback.step).toBe(2);
  });

  test("whoever steps by hand stops it", () => {
    const playback = new Playback();
    playback.load(film(), 0);
    playback.play();
    playback.go(3);
    vi.advanceTimersByTime(1000);
    expect(playback.at).toBe(3);
    expect(playback.near).toBe(false);
  });

  test("keys step, jump and change the speed, and stay inside the film", () => {
    const playback = new Playback();
    playback.load(film(), 0);
    const press = (key: string): boolean => playKey(playback, key);
    press("ArrowLeft");
    expect(playback.at).toBe(0);
    press("ArrowRight");
    expect(playback.at).toBe(1);
    press("PageDown");
    expect(playback.at).toBe(4);
    press("Home");
    expect(playback.at).toBe(0);
    press("End");
    expect(playback.at).toBe(4);
    for (let times = 0; times < 9; times++) press("+");
    expect(playback.speed).toBe(8);
    for (let times = 0; times < 9; times++) press("ArrowDown");
    expect(playback.speed).toBe(0.25);
    expect(playback.pace).toBe(400);
    expect(press("x")).toBe(false);
    press(" ");
    expect(playback.playing).toBe(true);
    press("k");
    expect(playback.playing).toBe(false);
  });
});
