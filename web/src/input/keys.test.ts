import { describe, expect, it } from "vitest";
import type { Scene } from "../lib/types";
import { keyName, keysAtOneKeyboard, takesKey } from "./keys";

function asking(...keys: string[]): Scene {
  const choices = keys.map((key) => ({ action: `go ${key}`, label: key, key, question: "", group: "", cell: null, item: "" }));
  return { width: 1, height: 1, title: "", ground: [], sprites: [], edges: [], marks: [], panels: [], choices, focus: null };
}

describe("keysAtOneKeyboard", () => {
  it("leaves keys that nobody else claims", () => {
    const keys = keysAtOneKeyboard(new Map([[0, asking("up", "space")], [1, asking("w", "q")]]));
    expect([...keys.get(0)!.keys()]).toEqual(["up", "space"]);
    expect([...keys.get(1)!.keys()]).toEqual(["w", "q"]);
  });

  it("moves a second seat's arrows to the letters", () => {
    const keys = keysAtOneKeyboard(new Map([[0, asking("up", "left")], [1, asking("up", "left")], [2, asking("up", "left")]]));
    expect([...keys.get(1)!]).toEqual([["w", "go up"], ["a", "go left"]]);
    expect([...keys.get(2)!]).toEqual([["i", "go up"], ["j", "go left"]]);
  });

  it("gives a key that cannot be moved to the first seat only", () => {
    const keys = keysAtOneKeyboard(new Map([[0, asking("z")], [1, asking("z", "up")]]));
    expect(keys.get(0)!.has("z")).toBe(true);
    expect([...keys.get(1)!.keys()]).not.toContain("z");
  });
});

describe("keyName", () => {
  const pressed = (key: string, rest = {}) => keyName({ key, ctrlKey: false, metaKey: false, altKey: false, ...rest });
  it("names arrows, blanks and letters as scenes do", () => {
    expect(["ArrowUp", " ", "Enter", "A", "Escape", "F5"].map((key) => pressed(key))).toEqual(["up", "space", "enter", "a", "escape", ""]);
  });
  it("leaves the browser its own keys", () => {
    expect(pressed("r", { ctrlKey: true })).toBe("");
  });
});

describe("takesKey", () => {
  it("a field keeps all keys but Escape, a button Enter and Space", () => {
    document.body.innerHTML = "<input><button>b</button><p>p</p>";
    const [field, button, text] = [...document.body.children];
    expect(takesKey(field!, "up")).toBe(true);
    expect(takesKey(field!, "escape")).toBe(false);
    expect(takesKey(button!, "space")).toBe(true);
    expect(takesKey(button!, "up")).toBe(false);
    expect(takesKey(text!, "enter")).toBe(false);
  });
});
