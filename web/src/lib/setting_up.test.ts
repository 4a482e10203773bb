import { describe, expect, test } from "vitest";
import { fieldOf, isSimple } from "./setting_up";
import type { GameInfo, GameOption } from "./types";

const option = (name: string, kind: GameOption["kind"], value: unknown): GameOption => ({ name, kind, default: value, allowed: "", meaning: "" });
const game = { options: [option("players", "number", 2), option("width", "number", 10), option("turn_limit", "number", 0), option("map", "text", "")] } as unknown as GameInfo;

describe("a refusal stands next to what it is about", () => {
  test("the option it names", () => {
    expect(fieldOf("tron cannot be played with width=3: it must be a whole number from 5 to 50", game)).toEqual({ kind: "option", name: "width" });
    expect(fieldOf("the turn limit must be at least 1", game)).toEqual({ kind: "option", name: "turn_limit" });
  });

  test("the option whose value it repeats", () => {
    expect(fieldOf("a 3x10 grid is too small: both sides need at least 10 squares", game, { width: 3 })).toEqual({ kind: "option", name: "width" });
  });

  test("the clock, a seat, or the whole", () => {
    expect(fieldOf("'abc' is no time control: say 100ms or none", game)).toEqual({ kind: "clock" });
    expect(fieldOf("Tron has no bot called 'hrad': did you mean hard?", game)).toEqual({ kind: "seat" });
    expect(fieldOf("tron cannot be played with players=9: it must be from 2 to 4", game)).toEqual({ kind: "seat" });
    expect(fieldOf("too many tables: try again in a minute", game, { width: 12 })).toEqual({ kind: "all" });
  });
});

test("long texts, points and seeds are folded away", () => {
  expect(isSimple(option("map", "text", ""))).toBe(false);
  expect(isSimple(option("map", "text", "island"))).toBe(true);
  expect(isSimple(option("win_points", "number", 1000))).toBe(false);
  expect(isSimple(option("width", "number", 10))).toBe(true);
});
