import { expect, it } from "vitest";
import { compassOf, directionOf, padOf } from "./directions";
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

it("aims stand around their verb, each with what would come of it, the hurt first and nothing twice", () => {
  const labels = ["shoot ↑ u: misses", "shoot ← l: hits earth, hits earth, Phil (1) -40 hp", "shoot ↘ rd", "idle", "walk 1 left: to (3, 4)"];
  const compass = compassOf(labels.map(answer))!;
  expect(compass.verb).toBe("shoot");
  expect(compass.places.map((aim) => aim?.outcome ?? "-")).toEqual(["-", "misses", "-", "Phil (1) -40 hp, hits earth", "-", "-", "-", "-", ""]);
  expect(compass.rest.map((one) => one.label)).toEqual(["idle", "walk 1 left: to (3, 4)"]);
  expect(compassOf(labels.slice(2).map(answer))).toBeNull();
});
