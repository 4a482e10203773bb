import { expect, test } from "vitest";
import { groupsOf, typeText } from "./openapi";

test("types are told in a few words", () => {
  expect(typeText({ $ref: "#/components/schemas/MatchInfo" })).toBe("MatchInfo");
  expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Token" } })).toBe("list of Token");
  expect(typeText({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("text or null");
  expect(typeText({ type: "integer", minimum: 1, maximum: 100 })).toBe("whole number from 1 to 100");
  expect(typeText({ enum: ["open", "over"] })).toBe('"open" or "over"');
  expect(typeText({ type: "object", additionalProperties: { type: "number" } })).toBe("object of number");
  expect(typeText({ type: "array", prefixItems: [{ type: "integer" }, { type: "integer" }] })).toBe("[whole number, whole number]");
  expect(typeText(undefined)).toBe("any");
});

test("operations stand in groups, in order, with what they take and answer", () => {
  const [games, matches] = groupsOf({
    info: { title: "T", version: "1" },
    tags: [{ name: "matches", description: "Tables." }],
    paths: {
      "/games": { get: { tags: ["games"], summary: "All games", responses: { "200": { description: "ok", content: { "application/json": { schema: { $ref: "#/x/Games" } } } } } } },
      "/matches/{id}": {
        get: { tags: ["matches"], parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }] },
        post: { tags: ["matches"], requestBody: { content: { "application/json": { schema: { $ref: "#/x/Act" } } } } },
      },
    },
  });
  expect(games!.operations[0]).toMatchObject({ method: "GET", path: "/games", answers: [{ status: "200", text: "Games" }] });
  expect(matches).toMatchObject({ name: "matches", description: "Tables." });
  expect(matches!.operations.map((operation) => operation.method)).toEqual(["GET", "POST"]);
  expect(matches!.operations[0]!.parameters[0]).toMatchObject({ name: "id", where: "path", required: true, text: "text" });
  expect(matches!.operations[1]!.body).toEqual([{ type: "application/json", text: "Act" }]);
});
