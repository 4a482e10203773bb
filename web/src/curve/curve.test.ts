import { describe, expect, test } from "vitest";
import { drawCurve, niceSteps } from "./curve";

const FRAME = { left: 40, right: 440, top: 10, bottom: 210 };

describe("niceSteps", () => {
  test("they are round, and hold all that is to be shown", () => {
    expect(niceSteps(1432, 1618, 5)).toEqual([1400, 1450, 1500, 1550, 1600, 1650]);
    expect(niceSteps(0, 1, 5)).toEqual([0, 0.5, 1]);
    expect(niceSteps(-30, 30, 4)).toEqual([-40, -20, 0, 20, 40]);
  });

  test("a range of nothing still has a lowest and a highest", () => {
    const steps = niceSteps(1500, 1500, 5);
    expect(steps[0]).toBeLessThan(1500.001);
    expect(steps.at(-1)! - steps[0]!).toBeGreaterThan(0);
  });
});

describe("drawCurve", () => {
  test("time goes from left to right, ratings from bottom to top", () => {
    const curve = drawCurve(
      [
        { at: 0, rating: 1400, deviation: 100 },
        { at: 500, rating: 1500, deviation: 50 },
        { at: 1000, rating: 1600, deviation: 0 },
      ],
      FRAME,
    );
    expect(curve.ratings.map((tick) => tick.value)).toEqual([1300, 1400, 1500, 1600]);
    expect(curve.ratings[0]!.place).toBe(210);
    expect(curve.ratings.at(-1)!.place).toBe(10);
    expect(curve.dots.map((dot) => dot.x)).toEqual([40, 240, 440]);
    expect(curve.dots.at(-1)!.y).toBe(10);
    expect(curve.line).toBe("M40 143.33L240 76.67L440 10");
    expect(curve.band).toBe("M40 76.67L240 43.33L440 10L440 10L240 110L40 210Z");
    expect(curve.times.map((tick) => tick.value)).toEqual([0, 500, 1000]);
  });

  test("one point stands in the middle", () => {
    const curve = drawCurve([{ at: 7, rating: 1500, deviation: 0 }], FRAME);
    expect(curve.dots).toHaveLength(1);
    expect(curve.dots[0]!.x).toBe(240);
    expect(Number.isFinite(curve.dots[0]!.y)).toBe(true);
    expect(curve.times).toHaveLength(1);
  });

  test("no points, nothing to draw", () => {
    expect(drawCurve([], FRAME)).toEqual({ line: "", band: "", dots: [], ratings: [], times: [] });
  });
});
