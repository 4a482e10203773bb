/** Answers that are directions stand around a middle, as on a game pad; the place is read from their labels. */

import type { Answer } from "./questions";

const PLACES = ["up left", "up", "up right", "left", "", "right", "down left", "down", "down right"] as const;
const SIGNS: Record<string, string> = { "up left": "↖", up: "↑", "up right": "↗", left: "←", right: "→", "down left": "↙", down: "↓", "down right": "↘" };

export interface Pad {
  places: (Answer | null)[]; // nine of them, row by row; the middle is always free
  diagonal: boolean;
  rest: Answer[];
}

/** "move up left" is "up left"; what is no bare direction is "". */
export function directionOf(label: string): string {
  const words = label.replace(/^(move|go|walk|step|drive) /, "");
  return words in SIGNS ? words : "";
}

export const directionSign = (label: string): string => SIGNS[directionOf(label)] ?? "";

/** A pad where at least two answers are directions; null where a list is plainer. */
export function padOf(answers: readonly Answer[]): Pad | null {
  const places: (Answer | null)[] = PLACES.map(() => null);
  const rest: Answer[] = [];
  for (const answer of answers) {
    const direction = directionOf(answer.label);
    const place = direction ? PLACES.indexOf(direction as (typeof PLACES)[number]) : -1;
    if (place >= 0 && places[place] === null) places[place] = answer;
    else rest.push(answer);
  }
  if (places.filter(Boolean).length < 2) return null;
  return { places, diagonal: [0, 2, 6, 8].some((place) => places[place] !== null), rest };
}
