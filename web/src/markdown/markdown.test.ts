import { describe, expect, test } from "vitest";
import { parseInline, parseMarkdown, plain, safeAddress } from "./markdown";

describe("blocks", () => {
  test("headings have a level and an id of their own", () => {
    const [first, second, third] = parseMarkdown("# The rules\n\n## Moves\n\n## Moves");
    expect(first).toEqual({ kind: "heading", level: 1, id: "the-rules", parts: [{ kind: "text", text: "The rules" }] });
    expect(second).toMatchObject({ level: 2, id: "moves" });
    expect(third).toMatchObject({ level: 2, id: "moves-2" });
  });

  test("lines that follow each other are one paragraph, an empty one ends it", () => {
    const blocks = parseMarkdown("one\ntwo\n\nthree");
    expect(blocks.map((block) => (block.kind === "paragraph" ? plain(block.parts) : block.kind))).toEqual(["one two", "three"]);
  });

  test("a list takes lines that go on with its item, and ends at a heading", () => {
    const [list, heading] = parseMarkdown("- **R1** one\n  more of it\n- two\n## Next");
    expect(list).toMatchObject({ kind: "list", ordered: false });
    expect(list!.kind === "list" && list!.items.map(plain)).toEqual(["R1 one more of it", "two"]);
    expect(heading).toMatchObject({ kind: "heading" });
  });

  test("numbered lists, quotes, rules and fences", () => {
    const blocks = parseMarkdown("1. one\n2. two\n\n> said\n> so\n\n---\n\n```\n# not a heading\n<b>\n```");
    expect(blocks.map((block) => block.kind)).toEqual(["list", "quote", "rule", "code"]);
    expect(blocks[0]).toMatchObject({ ordered: true });
    expect(blocks[3]).toEqual({ kind: "code", text: "# not a heading\n<b>" });
  });

  test("a fence that is never closed goes to the end", () => {
    expect(parseMarkdown("```\nabc")).toEqual([{ kind: "code", text: "abc" }]);
  });

  test("a table has a head and rows; a stroke behind a backslash is text", () => {
    const [table] = parseMarkdown("| a | b |\n|---|--:|\n| 1 | `x` \\| y |\n\nafter");
    expect(table).toMatchObject({ kind: "table" });
    if (table?.kind !== "table") throw new Error("no table");
    expect(table.head.map(plain)).toEqual(["a", "b"]);
    expect(table.rows.map((row) => row.map(plain))).toEqual([["1", "x | y"]]);
  });
});

describe("inside a line", () => {
  test("strong, emphasised, code and links", () => {
    expect(parseInline("**R1** (*ours*): `a *b*` and [the rules](/rules/tron)")).toEqual([
      { kind: "strong", parts: [{ kind: "text", text: "R1" }] },
      { kind: "text", text: " (" },
      { kind: "em", parts: [{ kind: "text", text: "ours" }] },
      { kind: "text", text: "): " },
      { kind: "code", text: "a *b*" },
      { kind: "text", text: " and " },
      { kind: "link", href: "/rules/tron", parts: [{ kind: "text", text: "the rules" }] },
    ]);
  });

  test("stars that frame nothing are stars", () => {
    expect(parseInline("2 * 3 * 4")).toEqual([{ kind: "text", text: "2 * 3 * 4" }]);
    expect(parseInline("drawn `~`, those of player 2 `*`, or")).toMatchObject([{}, { text: "~" }, {}, { kind: "code", text: "*" }, {}]);
  });

  test("HTML is text", () => {
    expect(parseInline("<img src=x onerror=alert(1)>")).toEqual([{ kind: "text", text: "<img src=x onerror=alert(1)>" }]);
  });

  test("a link that would run something stays text", () => {
    for (const href of ["javascript:alert", "data:text/html,x", "//elsewhere", "/\\elsewhere", "JaVaScRiPt:x"]) {
      expect(safeAddress(href), href).toBe(false);
      expect(parseInline(`[x](${href})`)).toEqual([{ kind: "text", text: `[x](${href})` }]);
    }
    for (const href of ["https://example.org/a", "/rules/tron", "#moves", "bot-protocol.md", "docs/a.md#b"]) {
      expect(safeAddress(href), href).toBe(true);
    }
  });
});
