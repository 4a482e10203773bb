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

/** One way to aim: "shoot ↗ ru: hits earth" aims up right, and that is what would come of it. */
export interface Aim {
  answer: Answer;
  outcome: string;
}

export interface Compass {
  verb: string;
  places: (Aim | null)[]; // nine of them, row by row
  rest: Answer[];
}

const AIM = /^(\p{L}+) ([↖↑↗←→↙↓↘])(?: \w+)?(?:: (.+))?$/u;
export const ARROWS = PLACES.map((place) => SIGNS[place] ?? "");
const LEAST_AIMS = 3;

/** Answers that aim one thing at several directions, around its name; null where there are hardly any. */
export function compassOf(answers: readonly Answer[]): Compass | null {
  const verb = answers.map((answer) => AIM.exec(answer.label)?.[1]).find(Boolean) ?? "";
  const places: (Aim | null)[] = PLACES.map(() => null);
  const rest: Answer[] = [];
  for (const answer of answers) {
    const [, what, arrow = "", outcome = ""] = AIM.exec(answer.label) ?? [];
    const place = what === verb && arrow ? ARROWS.indexOf(arrow) : -1;
    if (place >= 0 && places[place] === null) places[place] = { answer, outcome: once(outcome) };
    else rest.push(answer);
  }
  return places.filter(Boolean).length < LEAST_AIMS ? null : { verb, places, rest };
}

/** What is told twice is told once; what has a number, such as who is hurt how much, before what has none. */
function once(list: string): string {
  const parts = [...new Set(list.split(", "))];
  return parts.sort((a, b) => Number(/\d/.test(b)) - Number(/\d/.test(a))).join(", ");
}
