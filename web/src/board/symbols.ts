/**
 * The shapes that boards are made of: a game's sheet of symbols, fetched once and put into the document, where
 * every board uses them by name. Marks have shapes of their own, so that none is told by its colour alone.
 */

import { symbolsOf } from "../lib/api";
import type { MarkKind } from "../lib/types";

const SVG = "http://www.w3.org/2000/svg";

/** In a box of 100 x 100, as in the pictures that screens/svg.py draws. */
const MARKS: Record<MarkKind, string> = {
  reachable: '<rect x="4" y="4" width="92" height="92" rx="10" fill="#4f9d69" fill-opacity=".3"/><circle cx="50" cy="50" r="9" fill="#6fc48b"/>',
  range:
    '<rect x="4" y="4" width="92" height="92" rx="10" fill="#c9a227" fill-opacity=".14"/>' +
    '<path d="M6 24V6h18M76 6h18v18M94 76v18H76M24 94H6V76" fill="none" stroke="#d8b23a" stroke-width="5"/>',
  danger:
    '<rect x="4" y="4" width="92" height="92" rx="10" fill="#d1495b" fill-opacity=".3"/>' +
    '<path d="M10 40 40 10M10 90 90 10M60 90 90 60" stroke="#e8707f" stroke-width="6" stroke-opacity=".85"/>',
  seen: '<rect x="7" y="7" width="86" height="86" rx="10" fill="none" stroke="#9fb0c2" stroke-width="4" stroke-dasharray="3 11"/>',
  last: '<rect x="7" y="7" width="86" height="86" rx="10" fill="none" stroke="#8e9aaf" stroke-width="3" stroke-dasharray="18 12" stroke-opacity=".45"/>',
  target:
    '<circle cx="50" cy="50" r="38" fill="none" stroke="#0b0e11" stroke-opacity=".55" stroke-width="11"/>' +
    '<circle cx="50" cy="50" r="38" fill="none" stroke="#f2f2f2" stroke-width="6"/>' +
    '<path d="M50 2v22M50 76v22M2 50h22M76 50h22" stroke="#f2f2f2" stroke-width="6"/>',
  path: '<circle cx="50" cy="50" r="16" fill="#0b0e11" fill-opacity=".5"/><circle cx="50" cy="50" r="12" fill="#74c3e0"/>',
};

/** The id of a look's symbol in a game's sheet (screens/svg.py: name_of). */
export function nameOf(look: string, seat: number): string {
  let safe = "";
  for (const char of look) safe += /[a-zA-Z0-9]/.test(char) ? char : `_${(char.codePointAt(0) ?? 0).toString(16)}_`;
  return seat >= 0 ? `${safe}-${seat}` : safe;
}

/** The same in the document, where the sheets of several games stand beside each other. */
export function symbolId(game: string, look: string, seat: number): string {
  return `sheet-${game}-${nameOf(look, seat)}`;
}

export const markId = (kind: MarkKind): string => `board-mark-${kind}`;

const placed = new Map<string, Promise<void>>();

/** Puts a game's symbols into the document, if they are not there yet. */
export function placeSymbols(game: string): Promise<void> {
  placeMarks();
  let done = placed.get(game);
  if (!done) {
    done = symbolsOf(game).then((text) => {
      const sheet = new DOMParser().parseFromString(text, "image/svg+xml");
      place([...sheet.querySelectorAll("symbol")], (id) => `sheet-${game}-${id}`);
    });
    done.catch(() => placed.delete(game));
    placed.set(game, done);
  }
  return done;
}

function placeMarks(): void {
  if (document.getElementById(markId("path"))) return;
  const symbols = Object.entries(MARKS).map(([kind, inside]) => `<symbol id="${kind}" viewBox="0 0 100 100">${inside}</symbol>`);
  const sheet = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${symbols.join("")}</svg>`, "image/svg+xml");
  place([...sheet.querySelectorAll("symbol")], (kind) => `board-mark-${kind}`);
}

function place(symbols: Element[], rename: (id: string) => string): void {
  const holder = document.createElementNS(SVG, "svg");
  holder.setAttribute("width", "0");
  holder.setAttribute("height", "0");
  holder.setAttribute("aria-hidden", "true");
  holder.setAttribute("class", "unseen");
  for (const symbol of symbols) {
    symbol.id = rename(symbol.id);
    holder.append(document.importNode(symbol, true));
  }
  document.body.append(holder);
}
