/** The board in words: what stands on a cell, and a board row by row, from the scene and the looks' own words. */

import type { Looks, MarkKind, Scene } from "../lib/types";

const MARK_WORDS: Record<MarkKind, string> = {
  reachable: "reachable",
  range: "in range",
  danger: "danger",
  seen: "in sight",
  last: "seen earlier",
  target: "target",
  path: "on the way",
};

/** For every cell, row by row, a line such as "column 3, row 1: floor; racer of seat 0, 40; reachable (move up)". */
export function cellWords(scene: Scene, looks: Looks): string[] {
  const things = thingsOnCells(scene, looks);
  return things.map((list, n) => {
    const [x, y] = [n % scene.width, Math.floor(n / scene.width)];
    return `column ${x}, row ${y}: ${list.join("; ") || "nothing"}`;
  });
}

function thingsOnCells(scene: Scene, looks: Looks): string[][] {
  const things: string[][] = Array.from({ length: scene.width * scene.height }, () => []);
  const put = (x: number, y: number, words: string): void => {
    if (x < 0 || y < 0 || x >= scene.width || y >= scene.height) return;
    const list = things[y * scene.width + x];
    if (list && !list.includes(words)) list.push(words);
  };
  scene.ground.forEach((row, y) => [...row].forEach((char, x) => put(x, y, groundWord(looks, char))));
  for (const sprite of [...scene.sprites].sort((a, b) => b.layer - a.layer)) {
    put(sprite.x, sprite.y, spriteWords(looks, sprite.look, sprite.seat, sprite.badge));
  }
  for (const edge of scene.edges) {
    put(edge.x, edge.y, edge.side === "north" ? "wall above" : "wall on the left");
    if (edge.side === "north") put(edge.x, edge.y - 1, "wall below");
    else put(edge.x - 1, edge.y, "wall on the right");
  }
  for (const mark of scene.marks) put(mark.x, mark.y, mark.why ? `${MARK_WORDS[mark.kind]} (${mark.why})` : MARK_WORDS[mark.kind]);
  for (const list of things) {
    if (list.length > 1 && list.includes("")) list.splice(list.indexOf(""), 1);
  }
  return things.map((list) => list.filter(Boolean));
}

function groundWord(looks: Looks, char: string): string {
  const name = looks.ground[char];
  return name === undefined ? "" : (looks.looks[name]?.word ?? name);
}

function spriteWords(looks: Looks, look: string, seat: number, badge: string): string {
  const word = looks.looks[look]?.word ?? look;
  const whose = seat >= 0 && !/\bseat \d/.test(word) ? ` of seat ${seat}` : "";
  return `${word}${whose}${badge ? `, ${badge}` : ""}`;
}

/**
 * A board row by row, for the ear: runs of the same ground are told once ("columns 0 to 4 wall"), what stands on
 * them is told where it stands. Marks are left out: they are told with the choices.
 */
export function readRows(scene: Scene, looks: Looks): string[] {
  const things = thingsOnCells({ ...scene, marks: [] }, looks);
  return Array.from({ length: scene.height }, (_, y) => {
    const parts: string[] = [];
    for (let x = 0; x < scene.width; ) {
      const words = (things[y * scene.width + x] ?? []).join(", ") || "nothing";
      let end = x;
      while (end + 1 < scene.width && ((things[y * scene.width + end + 1] ?? []).join(", ") || "nothing") === words) end++;
      parts.push(end > x ? `columns ${x} to ${end} ${words}` : `column ${x} ${words}`);
      x = end + 1;
    }
    return `Row ${y}: ${parts.join("; ")}.`;
  });
}
