/** The geometry of a rating curve: from points in time to paths, and the numbers at its edges. */

export interface CurvePoint {
  at: number; // a time, or the number of a match
  rating: number;
  deviation: number;
}

export interface Tick {
  value: number;
  place: number; // in units of the picture
}

export interface Curve {
  line: string; // the path of the ratings
  band: string; // the area from rating - deviation to rating + deviation
  dots: { x: number; y: number }[];
  ratings: Tick[];
  times: Tick[];
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Points in order of time. One point, or several at one moment, stand in the middle. */
export function drawCurve(points: readonly CurvePoint[], frame: Frame): Curve {
  if (points.length === 0) return { line: "", band: "", dots: [], ratings: [], times: [] };
  const lowest = Math.min(...points.map((point) => point.rating - point.deviation));
  const highest = Math.max(...points.map((point) => point.rating + point.deviation));
  const steps = niceSteps(lowest, highest, 5);
  const [bottom, top] = [steps[0]!, steps.at(-1)!];
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const x = (at: number) =>
    last === first ? (frame.left + frame.right) / 2 : round(frame.left + ((at - first) / (last - first)) * (frame.right - frame.left));
  const y = (rating: number) => round(frame.bottom - ((rating - bottom) / (top - bottom)) * (frame.bottom - frame.top));
  const dots = points.map((point) => ({ x: x(point.at), y: y(point.rating) }));
  const upper = points.map((point) => `${x(point.at)} ${y(point.rating + point.deviation)}`);
  const lower = points.map((point) => `${x(point.at)} ${y(point.rating - point.deviation)}`).reverse();
  return {
    line: "M" + dots.map((dot) => `${dot.x} ${dot.y}`).join("L"),
    band: "M" + [...upper, ...lower].join("L") + "Z",
    dots,
    ratings: steps.map((value) => ({ value, place: y(value) })),
    times: (last === first ? [first] : [first, (first + last) / 2, last]).map((value) => ({ value, place: x(value) })),
  };
}

/** Round numbers from below the lowest to above the highest, about `wanted` of them. */
export function niceSteps(lowest: number, highest: number, wanted: number): number[] {
  const spread = Math.max(highest - lowest, 1e-6);
  const rough = spread / Math.max(1, wanted - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough * 0.999)!;
  let from = Math.floor(lowest / step);
  let to = Math.ceil(highest / step);
  if (from === to) {
    from -= 1;
    to += 1;
  }
  return Array.from({ length: to - from + 1 }, (_, number) => Number(((from + number) * step).toPrecision(12)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
