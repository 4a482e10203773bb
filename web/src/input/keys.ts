/** Keys by the names that scenes use, and several people at one keyboard in games of real time. */

import type { Scene } from "../lib/types";

const NAMED: Record<string, string> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  " ": "space",
  Enter: "enter",
  Escape: "escape",
  Backspace: "backspace",
};

const SIGNS: Record<string, string> = { up: "↑", down: "↓", left: "←", right: "→", space: "Space", enter: "↵", escape: "Esc", backspace: "⌫" };

/** The scene's name of a pressed key, "" for one that no scene knows (with Ctrl, function keys ...). */
export function keyName(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): string {
  if (event.ctrlKey || event.metaKey || event.altKey) return "";
  const named = NAMED[event.key];
  if (named) return named;
  return [...event.key].length === 1 ? event.key.toLowerCase() : "";
}

export function keySign(key: string): string {
  return SIGNS[key] ?? key.toUpperCase();
}

/** Whether a focused element wants the key for itself: a field all of them, a button Enter and Space. */
export function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable]")) return key !== "escape";
  if (target.closest("dialog[open]")) return true;
  if (target.closest("button, a, summary, [role=button]")) return key === "enter" || key === "space";
  return false;
}

// Where a second, third and fourth person finds the keys that the first has taken.
const MOVED: readonly Record<string, string>[] = [
  {},
  { up: "w", left: "a", down: "s", right: "d", space: "q" },
  { up: "i", left: "j", down: "k", right: "l", space: "u" },
  { up: "t", left: "f", down: "g", right: "h", space: "r" },
];

/** For real time: by seat, which key means which action. A key that two seats claim is moved for the second. */
export function keysAtOneKeyboard(scenes: ReadonlyMap<number, Scene>): Map<number, Map<string, string>> {
  const taken = new Set<string>();
  const bySeat = new Map<number, Map<string, string>>();
  for (const [seat, scene] of scenes) {
    const wanted = scene.choices.filter((choice) => choice.key && !choice.group);
    let keys: [string, string][] = [];
    for (const names of MOVED) {
      keys = wanted.map((choice) => [names[choice.key] ?? choice.key, choice.action]);
      if (!keys.some(([key]) => taken.has(key))) break;
    }
    const free = keys.filter(([key]) => !taken.has(key));
    for (const [key] of free) taken.add(key);
    bySeat.set(seat, new Map(free));
  }
  return bySeat;
}
