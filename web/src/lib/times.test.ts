import { expect, test } from "vitest";
import { ago } from "./times";

test("times are told in the largest unit that fits", () => {
  const now = Date.UTC(2026, 10, 16, 12);
  const before = (seconds: number) => ago(now - seconds * 1000, now);
  expect(before(3)).toBe("just now");
  expect(before(59)).toBe("just now");
  expect(before(60)).toBe("1 minute ago");
  expect(before(3599)).toBe("59 minutes ago");
  expect(before(2 * 3600)).toBe("2 hours ago");
  expect(before(86_400)).toBe("yesterday");
  expect(before(15 * 86_400)).toBe("2 weeks ago");
  expect(before(800 * 86_400)).toBe("2 years ago");
  expect(before(-30)).toBe("in a moment");
  expect(before(-3600)).toBe("in 1 hour");
});
