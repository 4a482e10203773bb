import { expect, it } from "vitest";
import { directionOf, padOf } from "./directions";
import type { Answer } from "./questions";

const answer = (label: string): Answer => ({ label, key: "", choice: null, leadsTo: null });

it("reads bare directions only", () => {
  expect(["up", "move up left", "walk 1 left", "straight on"].map(directionOf)).toEqual(["up", "up left", "", ""]);
});

it("places directions around the middle and leaves the rest", () => {
  const pad = padOf([answer("move up"), answer("move left"), answer("end the turn")])!;
  expect(pad.places.map((one) => one?.label ?? "")).toEqual(["", "move up", "", "move left", "", "", "", "", ""]);
  expect(pad.rest.map((one) => one.label)).toEqual(["end the turn"]);
  expect(pad.diagonal).toBe(false);
});

it("is no pad for a single direction", () => {
  expect(padOf([answer("left"), answer("idle")])).toBeNull();
});
