// @vitest-environment node
/** Films are compared with the scenes they were packed from: write_films.py plays every game and writes both. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { Scene, Sprite } from "../lib/types";
import { Film, readSymbol, type PackedFilm } from "./film";

interface Told {
  film: PackedFilm;
  pictures: { step: number; inside: boolean; caption: string; lines: string[]; scene: Scene }[];
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
let films: Record<string, Told>;

function python(): string {
  const own = [".venv/bin/python", ".venv/Scripts/python.exe"].map((path) => root + path).find(existsSync);
  return process.env["TURNTILE_PYTHON"] ?? own ?? "python3";
}

beforeAll(() => {
  const script = fileURLToPath(new URL("write_films.py", import.meta.url));
  const env = { ...process.env, PYTHONPATH: root + "src" };
  films = JSON.parse(execFileSync(python(), [script], { env, maxBuffer: 2 ** 28 }).toString()) as Record<string, Told>;
}, 120_000);

/** A scene as films tell it: sprites by number in order of their first appearance, without what is for players. */
function numbered(scene: Scene, numbers: Map<string, number>): Scene {
  const sprites = scene.sprites.map((sprite): Sprite => {
    if (!numbers.has(sprite.id)) numbers.set(sprite.id, numbers.size);
    return { ...sprite, id: String(numbers.get(sprite.id)), turn: sprite.turn % 8 };
  });
  return { ...scene, sprites: byId(sprites), choices: [], focus: null };
}

function byId(sprites: readonly Sprite[]): Sprite[] {
  return [...sprites].sort((one, other) => Number(one.id) - Number(other.id));
}

describe("a film gives back the scenes it was packed from", () => {
  test("there is one of every game, and most are longer than a checkpoint", () => {
    const names = Object.keys(films);
    for (const game of ["made", "tron", "racers", "worms", "roborace", "robots"]) {
      expect(names.some((name) => name.startsWith(game)), game).toBe(true);
    }
    expect(Object.values(films).filter(({ film }) => film.frames.length > 50).length).toBeGreaterThan(3);
  });

  test("forwards, step by step", () => {
    for (const [name, { film: packed, pictures }] of Object.entries(films)) {
      const film = new Film(packed);
      const numbers = new Map<string, number>();
      expect(film.last, name).toBe(pictures.length - 1);
      pictures.forEach((picture, number) => {
        const scene = film.scene(number);
        const where = `${name}, picture ${number}`;
        expect({ ...scene, sprites: byId(scene.sprites) }, where).toEqual(numbered(picture.scene, numbers));
        expect(film.frame(number).step, where).toBe(picture.step);
        expect(film.frame(number).inside ?? false, where).toBe(picture.inside);
        expect(film.frame(number).caption ?? "", where).toBe(picture.caption);
        expect(film.frame(number).lines ?? [], where).toEqual(picture.lines);
      });
    }
  });

  test("in any order: jumps and steps back show the same", () => {
    for (const [name, { film: packed }] of Object.entries(films)) {
      const straight = new Film(packed);
      const scenes = packed.frames.map((_, number) => structuredClone(straight.scene(number)));
      const film = new Film(packed);
      let number = 0;
      for (let turn = 0; turn < 60; turn++) {
        number = (number * 7 + turn * 13 + 5) % packed.frames.length;
        expect(film.scene(number), `${name}, picture ${number}`).toEqual(scenes[number]);
        if (number > 0) expect(film.scene(number - 1), `${name}, back from ${number}`).toEqual(scenes[number - 1]);
      }
    }
  });

  test("a step is found by its number, beyond the end it is the last", () => {
    for (const { film: packed, pictures } of Object.values(films)) {
      const film = new Film(packed);
      for (const step of new Set(pictures.map((picture) => picture.step))) {
        const found = film.frameOfStep(step);
        expect(film.frame(found).step).toBe(step);
        expect(film.frame(found).inside ?? false).toBe(false);
      }
      expect(film.frameOfStep(1_000_000)).toBe(film.last);
    }
  });
});

test("the focus is where a player's thing changed last, else where anything did", () => {
  const film = new Film({
    symbols: ["stone", "worm-1"],
    panels: [],
    frames: [
      { step: 0, size: [9, 9], sprites: [[0, 0, 1, 1], [1, 1, 2, 2]] },
      { step: 1, sprites: [[0, 0, 5, 5]] },
      { step: 2 },
    ],
  });
  expect([0, 1, 2].map((number) => film.focus(number))).toEqual([[2, 2], [5, 5], [5, 5]]);
  expect(new Film({ symbols: [], panels: [], frames: [{ step: 0 }] }).focus(0)).toBe(null);
});

test("the names of symbols tell look and seat", () => {
  expect(readSymbol("cycle-1")).toEqual({ look: "cycle", seat: 1 });
  expect(readSymbol("wall")).toEqual({ look: "wall", seat: -1 });
  expect(readSymbol("a_5f_b_20__e9_-2")).toEqual({ look: "a_b é", seat: 2 });
});

test("a film without pictures is refused", () => {
  expect(() => new Film({ symbols: [], panels: [], frames: [] })).toThrow("no pictures");
});
