/**
 * A small part of Markdown as a tree: what our rules and documents use, and nothing that could run.
 *
 * Text stays text: `Markdown.svelte` makes elements of the tree, so that no HTML in a text is ever
 * read as HTML. What is not understood is shown as it stands.
 */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong"; parts: Inline[] }
  | { kind: "em"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: number; id: string; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "quote"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}\d{1,9}[.)]\s+(.*)$/;
const FENCE = /^\s{0,3}```/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  const ids = new Set<string>();
  let at = 0;

  /** Lines that belong together: until an empty one, or one that begins something else. */
  const gather = (first: string): string => {
    const gathered = [first];
    while (at < lines.length && lines[at]!.trim() !== "" && !beginsBlock(lines[at]!)) gathered.push(lines[at++]!.trim());
    return gathered.join(" ");
  };

  while (at < lines.length) {
    const line = lines[at++]!;
    const heading = HEADING.exec(line);
    if (line.trim() === "") continue;
    if (heading) {
      const parts = parseInline(heading[2]!);
      blocks.push({ kind: "heading", level: heading[1]!.length, id: unusedId(plain(parts), ids), parts });
    } else if (FENCE.test(line)) {
      const code: string[] = [];
      while (at < lines.length && !FENCE.test(lines[at]!)) code.push(lines[at++]!);
      at++;
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (RULE.test(line)) {
      blocks.push({ kind: "rule" });
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const ordered = !BULLET.test(line);
      const item = ordered ? NUMBER : BULLET;
      const items: Inline[][] = [];
      at--;
      for (let found; at < lines.length && (found = item.exec(lines[at]!)); ) {
        at++;
        items.push(parseInline(gather(found[1]!)));
      }
      blocks.push({ kind: "list", ordered, items });
    } else if (line.trimStart().startsWith(">")) {
      const quoted = [line.trim().slice(1).trim()];
      while (at < lines.length && lines[at]!.trimStart().startsWith(">")) quoted.push(lines[at++]!.trim().slice(1).trim());
      blocks.push({ kind: "quote", parts: parseInline(quoted.join(" ")) });
    } else if (line.includes("|") && at < lines.length && lines[at]!.includes("|") && TABLE_LINE.test(lines[at]!)) {
      at++;
      const rows: Inline[][][] = [];
      while (at < lines.length && lines[at]!.includes("|")) rows.push(cells(lines[at++]!));
      blocks.push({ kind: "table", head: cells(line), rows });
    } else {
      blocks.push({ kind: "paragraph", parts: parseInline(gather(line.trim())) });
    }
  }
  return blocks;
}

function beginsBlock(line: string): boolean {
  return HEADING.test(line) || BULLET.test(line) || NUMBER.test(line) || FENCE.test(line) || RULE.test(line) || line.trimStart().startsWith(">");
}

function cells(line: string): Inline[][] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));
}

// Code first: inside it nothing else means anything. A star that no letter follows is just a star.
const INLINE = /(`+)(.+?)\1(?!`)|\*\*(?=\S)(.+?\S?)\*\*|\*(?=[^\s*])([^*]*?[^\s*])\*(?!\*)|\[([^\]]+)\]\(([^()\s]+)\)/;

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let found; (found = INLINE.exec(rest)); rest = rest.slice(found.index + found[0].length)) {
    if (found.index > 0) parts.push({ kind: "text", text: rest.slice(0, found.index) });
    const [whole, , code, strong, em, label, href] = found;
    if (code !== undefined) parts.push({ kind: "code", text: code.length > 2 ? code.replace(/^ (.*) $/, "$1") : code });
    else if (strong !== undefined) parts.push({ kind: "strong", parts: parseInline(strong) });
    else if (em !== undefined) parts.push({ kind: "em", parts: parseInline(em) });
    else if (safeAddress(href!)) parts.push({ kind: "link", href: href!, parts: parseInline(label!) });
    else parts.push({ kind: "text", text: whole });
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

/** Pages and places in them; never a script. */
export function safeAddress(href: string): boolean {
  return /^https?:\/\//i.test(href) || /^(#|\/(?![/\\])|[\w.-]+(\/|#|$))/.test(href);
}

export function plain(parts: readonly Inline[]): string {
  return parts.map((part) => ("text" in part ? part.text : plain(part.parts))).join("");
}

function unusedId(text: string, taken: Set<string>): string {
  const wish = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "part";
  let id = wish;
  for (let number = 2; taken.has(id); number++) id = `${wish}-${number}`;
  taken.add(id);
  return id;
}
