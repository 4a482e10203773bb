/** What the play page offers and where it shows a refusal. */

import type { GameInfo, GameOption } from "./types";

export const CLOCKS: { value: string; label: string }[] = [
  { value: "", label: "None: take your time" },
  { value: "30s", label: "30 seconds a move" },
  { value: "2m", label: "2 minutes a move" },
  { value: "bank 5m +3s", label: "5 minutes and 3 seconds a move" },
  { value: "bank 15m +10s", label: "15 minutes and 10 seconds a move" },
];

/** For games in real time: how long a step lasts. */
export function PACES(turnMs: number): { value: string; label: string }[] {
  return [
    { value: "", label: `As the rules say: ${turnMs} ms a step` },
    { value: "real 300ms", label: "Slower: 300 ms a step" },
    { value: "real 500ms", label: "Slow: half a second a step" },
    { value: "real 1s", label: "Very slow: a second a step" },
  ];
}

/** Options shown at once; the others are folded away: long texts, points, seeds. */
export function isSimple(option: GameOption): boolean {
  if (option.kind === "text") return option.default !== "";
  return !/points|seed|percent/.test(option.name);
}

export type Field = { kind: "option"; name: string } | { kind: "clock" } | { kind: "seat" } | { kind: "all" };

/**
 * What a refusal is about: the option it names as `name=value` or by its words, the clock, a seat, an option whose
 * chosen value it repeats ("a 3x10 grid"), else all of it.
 */
export function fieldOf(sentence: string, game: GameInfo, chosen: Record<string, unknown> = {}): Field {
  const named = game.options.find((option) => sentence.includes(`${option.name}=`) || sentence.includes(`option '${option.name}'`));
  if (named) return named.name === "players" ? { kind: "seat" } : { kind: "option", name: named.name };
  if (/time control|\bclock\b|real time/.test(sentence)) return { kind: "clock" };
  if (/\bbots?\b|\bseats?\b/.test(sentence) && !/\bcells?\b|board/.test(sentence)) return { kind: "seat" };
  const meant = game.options.find((option) => new RegExp(`\\b${option.name.replace("_", "[_ ]")}\\b`).test(sentence));
  if (meant && meant.name !== "players") return { kind: "option", name: meant.name };
  const repeated = Object.entries(chosen).find(([, value]) => sentence.split(/[^\w.-]|(?<=\d)x(?=\d)/).includes(String(value)));
  return repeated ? { kind: "option", name: repeated[0] } : { kind: "all" };
}
