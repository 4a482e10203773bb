import { describe, expect, it } from "vitest";
import type { Sprite } from "../lib/types";
import { advance, inLayers, turnTo, withoutLeaving } from "./sprites";
import { nameOf } from "./symbols";

const sprite = (id: string, rest: Partial<Sprite> = {}): Sprite => ({ id, look: "car", x: 0, y: 0, turn: 0, seat: -1, layer: 0, badge: "", ...rest });
const look = (one: Sprite): string => one.look;

describe("turning", () => {
  it("goes the short way round", () => {
    expect(turnTo(315, 0)).toBe(360);
    expect(turnTo(0, 7)).toBe(-45);
    expect(turnTo(360, 1)).toBe(405);
    expect(turnTo(90, 2)).toBe(90);
  });

  it("never goes more than half round, whatever was before", () => {
    for (let from = -720; from <= 720; from += 45) {
      for (let turn = 0; turn < 8; turn++) {
        const to = turnTo(from, turn);
        expect(Math.abs(to - from)).toBeLessThanOrEqual(180);
        expect((((to - turn * 45) % 360) + 360) % 360).toBe(0);
      }
    }
  });
});

describe("advance", () => {
  const first = advance(new Map(), [sprite("a", { turn: 7 }), sprite("b")], look);

  it("keeps who is known and moves it", () => {
    const after = advance(first, [sprite("a", { x: 3, turn: 0 }), sprite("b")], look);
    expect(after.get("a")).toMatchObject({ x: 3, angle: 360, leaving: false });
  });

  it("lets who is gone leave, once", () => {
    const after = advance(first, [sprite("a")], look);
    expect(after.get("b")?.leaving).toBe(true);
    expect(advance(after, [sprite("a")], look).has("b")).toBe(false);
    expect([...withoutLeaving(after).keys()]).toEqual(["a"]);
  });

  it("takes back who was leaving as a new one", () => {
    const gone = advance(first, [], look);
    expect(advance(gone, [sprite("a", { turn: 0 })], look).get("a")).toMatchObject({ leaving: false, angle: 0 });
  });

  it("does not turn one shape into another", () => {
    const after = advance(first, [sprite("a", { look: "wreck", turn: 0 })], look);
    expect(after.get("a")?.angle).toBe(0);
  });
});

describe("layers", () => {
  it("stand from the ground up, each in the order of the scene", () => {
    const drawn = advance(new Map(), [sprite("top", { layer: 4 }), sprite("low", { layer: -1 }), sprite("top2", { layer: 4 })], look);
    expect(inLayers(drawn).map(([layer, list]) => [layer, list.map((one) => one.id)])).toEqual([[-1, ["low"]], [4, ["top", "top2"]]]);
  });
});

describe("names of symbols", () => {
  it("are those of the server's sheet", () => {
    expect(nameOf("own mine", 2)).toBe("own_20_mine-2");
    expect(nameOf("trail0-end", -1)).toBe("trail0_2d_end");
  });
});
