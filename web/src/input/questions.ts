/**
 * The choices of a scene as questions: "which item?", then "which direction?" (screens/questions.py does
 * the same for the terminal).
 *
 * Choices of one group answer one question; a group's name is the answer that leads to it.
 */

import type { Choice } from "../lib/types";

const BETWEEN = " / "; // between the answers in a group's name
export const SPARE_KEYS = [..."123456789abcdefghijklmnopqrstuvwxyz"];

/** One answer: an action, or a further question, or both (an action that has variants). */
export interface Answer {
  label: string;
  key: string;
  choice: Choice | null;
  leadsTo: Question | null;
}

export interface Question {
  text: string;
  answers: Answer[];
}

/** The first question; each answer without a key of its own gets a spare one. */
export function ask(choices: readonly Choice[]): Question {
  const root: Question = { text: "", answers: [] };
  for (const choice of choices) {
    let question = root;
    if (choice.group) for (const word of choice.group.split(BETWEEN)) question = stepInto(question, word);
    question.text ||= choice.question;
    const existing = question.answers.find((answer) => answer.choice === null && answer.label === choice.label);
    if (existing) {
      existing.choice = choice;
      existing.key ||= choice.key;
    } else {
      question.answers.push({ label: choice.label, key: choice.key, choice, leadsTo: null });
    }
  }
  giveKeys(root);
  return root;
}

function stepInto(question: Question, word: string): Question {
  let answer = question.answers.find((known) => known.label === word);
  if (!answer) {
    answer = { label: word, key: "", choice: null, leadsTo: null };
    question.answers.push(answer);
  }
  answer.leadsTo ??= { text: "", answers: [] };
  return answer.leadsTo;
}

/** A key that two answers claim belongs to the first. */
export function giveKeys(question: Question): void {
  const taken = new Set<string>();
  for (const answer of question.answers) {
    if (taken.has(answer.key)) answer.key = "";
    if (answer.key) taken.add(answer.key);
  }
  const spare = SPARE_KEYS.filter((key) => !taken.has(key));
  for (const answer of question.answers) {
    if (!answer.key) answer.key = spare.shift() ?? "";
    if (answer.leadsTo) giveKeys(answer.leadsTo);
  }
  question.text ||= "What do you do?";
}

/**
 * The row an answer is the next step of: "like the scout: add gun", which does "add gun", goes on with "like the scout".
 * "" where it is a step on its own.
 */
export function rowOf(answer: Answer): string {
  const end = answer.choice ? `: ${answer.choice.action}` : "";
  return end && answer.label.endsWith(end) ? answer.label.slice(0, -end.length) : "";
}

/** All actions that can still be reached from a question. */
export function choicesUnder(question: Question): Choice[] {
  return question.answers.flatMap(choicesOf);
}

export function choicesOf(answer: Answer): Choice[] {
  return [...(answer.choice ? [answer.choice] : []), ...(answer.leadsTo ? choicesUnder(answer.leadsTo) : [])];
}

/** The actions still open that a click on a cell can mean. */
export function pointingAt(question: Question, x: number, y: number): Choice[] {
  return choicesUnder(question).filter((choice) => choice.cell?.[0] === x && choice.cell[1] === y);
}

/** The answers that are about an item and nothing else. */
export function aboutItem(question: Question, label: string): Answer[] {
  return question.answers.filter((answer) => {
    const under = choicesOf(answer);
    return under.length > 0 && under.every((choice) => choice.item === label);
  });
}
