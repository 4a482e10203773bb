import { expect, test } from "vitest";
import { withNames } from "./names";

test("seats are told by the names of those who sit there", () => {
  expect(withNames("seat 0 crashed into seat 1", ["Ada", "Tron easy"])).toBe("Ada crashed into Tron easy");
  expect(withNames("Seat 1", ["Ada", "Bo"])).toBe("Bo");
});

test("a seat nobody knows, and a name that two share, stay as they are", () => {
  expect(withNames("seat 7 crashed", ["Ada", "Bo"])).toBe("seat 7 crashed");
  expect(withNames("seat 0 crashed", ["Bo", "Bo"])).toBe("seat 0 crashed");
  expect(withNames("seat 0 crashed", ["", "Bo"])).toBe("seat 0 crashed");
});

test("a name that looks like a replacement is just a name", () => {
  expect(withNames("seat 0 won", ["$& $1", "Bo"])).toBe("$& $1 won");
});
