import { expect, test } from "vitest";
import { scaleOf, shade } from "./intervals";

test("all intervals fit, and nobody's zero lies in between where it belongs", () => {
  const scale = scaleOf([
    { elo: 100, margin: 50 },
    { elo: -100, margin: 50 },
  ]);
  expect(scale.place(-150)).toBe(2);
  expect(scale.place(150)).toBe(98);
  expect(scale.zero).toBe(50);
});

test("equal bots without a margin do not break the scale", () => {
  const scale = scaleOf([{ elo: 0, margin: 0 }]);
  expect(Number.isFinite(scale.place(0))).toBe(true);
});

test("shades grow with the distance from a half", () => {
  expect(shade(2, 4)).toEqual({ strength: 0, won: true });
  expect(shade(4, 4)).toEqual({ strength: 1, won: true });
  expect(shade(1, 4)).toEqual({ strength: 0.5, won: false });
  expect(shade(0, 0).strength).toBe(0);
});
