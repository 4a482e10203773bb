import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Scene } from "../lib/types";
import Board from "./Board.svelte";

const looks = {
  background: "#000000",
  ground: { ".": "floor" },
  looks: { floor: { glyph: ".", word: "floor", colour: "", turned: [] }, car: { glyph: "c", word: "car", colour: "", turned: [] } },
};
const sheet = '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="floor"/><symbol id="car-0"/></svg>';

const scene: Scene = {
  width: 3, height: 2, title: "A street", ground: ["...", "..."],
  sprites: [{ id: "c", look: "car", x: 1, y: 0, turn: 2, seat: 0, layer: 1, badge: "7" }],
  edges: [], marks: [{ x: 2, y: 0, kind: "target", why: "go" }], panels: [], choices: [], focus: null,
};

let board: Record<string, unknown> | undefined;

beforeEach(() => {
  vi.stubGlobal("fetch", (address: string) => Promise.resolve(new Response(address.endsWith(".svg") ? sheet : JSON.stringify(looks))));
});
afterEach(() => {
  if (board) void unmount(board);
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

async function show(props: object): Promise<void> {
  board = mount(Board, { target: document.body, props: { game: "street", scene, ...props } });
  flushSync();
  await vi.waitFor(() => expect(document.querySelector(".board")).not.toBeNull());
  await tick();
}

it("draws ground, sprites, badges and marks from the game's sheet", async () => {
  await show({});
  const hrefs = [...document.querySelectorAll(".board use")].map((use) => use.getAttribute("href"));
  expect(hrefs.filter((href) => href === "#sheet-street-floor")).toHaveLength(6);
  expect(hrefs).toContain("#sheet-street-car-0");
  expect(hrefs).toContain("#board-mark-target");
  expect(document.querySelector(".board text")?.textContent).toBe("7");
});

it("is one picture with a name where nobody may point", async () => {
  await show({});
  expect(document.querySelector(".board")?.getAttribute("role")).toBe("img");
  expect(document.querySelector(".board")?.getAttribute("aria-label")).toBe("A street");
  expect(document.querySelector("[data-testid=cell-0-0]")).toBeNull();
});

it("tells which cell was pointed at, by click and by keyboard", async () => {
  const pointed: [number, number][] = [];
  await show({ pointable: new Set(["2,0"]), onpoint: (x: number, y: number) => pointed.push([x, y]) });
  const cell = (x: number, y: number): Element => document.querySelector(`[data-testid=cell-${x}-${y}]`)!;
  expect(cell(1, 0).getAttribute("aria-label")).toBe("column 1, row 0: floor; car of seat 0, 7");
  cell(2, 0).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  cell(0, 0).dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  cell(0, 1).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(pointed).toEqual([[2, 0], [0, 1]]);
});
