import { expect, it } from "vitest";
import { clockText, timeLeft } from "./clocks";

it("tells minutes, hours, and tenths at the end", () => {
  expect([9_440, 10_000, 65_000, 3_725_000, 0].map(clockText)).toEqual(["9.4", "0:10", "1:05", "1:02:05", "0.0"]);
});

it("runs only while the seat is to act, and not below nothing", () => {
  expect(timeLeft({ limit_ms: 5000 }, true, 1500)).toBe(3500);
  expect(timeLeft({ limit_ms: 5000 }, false, 1500)).toBe(5000);
  expect(timeLeft({ limit_ms: 5000 }, true, 9000)).toBe(0);
  expect(timeLeft({ limit_ms: null }, true, 0)).toBeNull();
  expect(timeLeft(undefined, true, 0)).toBeNull();
});
