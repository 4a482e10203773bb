import { describe, expect, it } from "vitest";
import type { Looks, Scene } from "../lib/types";
import { cellWords, readRows } from "./words";

const look = (word: string) => ({ glyph: "x", word, colour: "", turned: [] });
const looks: Looks = { background: "#000000", ground: { "#": "wall", ".": "floor" }, looks: { wall: look("wall"), floor: look("floor"), racer: look("racer"), trail0: look("trail of seat 0") } };
const scene: Scene = {
  width: 3, height: 2, title: "", ground: ["##.", "..."],
  sprites: [
    { id: "t", look: "trail0", x: 1, y: 1, turn: 0, seat: 0, layer: 1, badge: "" },
    { id: "a", look: "racer", x: 1, y: 1, turn: 0, seat: 0, layer: 2, badge: "40" },
  ],
  edges: [{ x: 2, y: 1, side: "west" }],
  marks: [{ x: 2, y: 0, kind: "reachable", why: "move up" }, { x: 9, y: 9, kind: "danger", why: "" }],
  panels: [], choices: [], focus: null,
};

describe("the board in words", () => {
  const words = cellWords(scene, looks);
  it("tells ground, things from the top down, walls and marks of a cell", () => {
    expect(words[4]).toBe("column 1, row 1: floor; racer of seat 0, 40; trail of seat 0; wall on the right");
    expect(words[2]).toBe("column 2, row 0: floor; reachable (move up)");
    expect(words[5]).toBe("column 2, row 1: floor; wall on the left");
  });
  it("has a line for every cell, and what lies outside disturbs nobody", () => {
    expect(words).toHaveLength(6);
  });
  it("reads rows with runs told once", () => {
    expect(readRows(scene, looks)[0]).toBe("Row 0: columns 0 to 1 wall; column 2 floor.");
  });
});
