/**
 * What a person is asked, and how far the answer has come; knows keys and clicks but no page.
 *
 * A scene asks in up to three ways: by its choices (question after question), by a hand of cards of which
 * some are to be put in order, and by a list of parts. Whatever way the person goes, the end is the text of
 * one action. An `Asking` never changes: every answer gives a new one, or the action.
 */

import type { Card, Choice, Hand, Items, Part, Parts, Scene } from "../lib/types";
import { directionOf } from "./directions";
import { aboutItem, ask, choicesUnder, giveKeys, pointingAt, rowOf, SPARE_KEYS, type Answer, type Question } from "./questions";

export interface Given {
  asking: Asking;
  action: string | null; // the text of the action, when the answer is complete
  row?: string; // what goes on with further actions, if the action is one step of several
}

export class Asking {
  readonly scene: Scene;
  readonly seat: number;
  readonly hand: Hand | null;
  readonly parts: Parts | null;
  readonly path: readonly Question[]; // the questions asked so far; the last one is the present one
  readonly slots: readonly (number | null)[]; // cards of the hand, by slot
  private readonly spare: readonly string[];

  private constructor(scene: Scene, seat: number, path?: readonly Question[], slots?: readonly (number | null)[]) {
    this.scene = scene;
    this.seat = seat;
    const mine = (panel: { seat: number }): boolean => panel.seat === seat || panel.seat === -1;
    this.hand = scene.panels.find((panel): panel is Hand => panel.type === "hand" && mine(panel) && panel.slots > 0) ?? null;
    this.parts = scene.panels.find((panel): panel is Parts => panel.type === "parts" && mine(panel)) ?? null;
    this.path = path ?? [ask(scene.choices)];
    this.slots = slots ?? Array.from({ length: this.hand?.slots ?? 0 }, () => null);
    const taken = new Set([...this.root.answers.map((answer) => answer.key), "enter", "backspace", "escape"]);
    this.spare = SPARE_KEYS.filter((key) => !taken.has(key));
  }

  static about(scene: Scene, seat: number): Asking {
    return new Asking(scene, seat);
  }

  /** The same question in a newer picture: what was answered so far stands, unless something else is asked now. */
  static again(before: Asking | null, scene: Scene, seat: number): Asking {
    const fresh = new Asking(scene, seat);
    if (!before || before.seat !== seat || before.asks !== fresh.asks) return fresh;
    return new Asking(scene, seat, before.path, before.slots);
  }

  /** All that is asked, for comparison. */
  private get asks(): string {
    return JSON.stringify([this.scene.choices, this.hand, this.parts]);
  }

  private with(path: readonly Question[], slots: readonly (number | null)[] = this.slots): Given {
    return { asking: new Asking(this.scene, this.seat, path, slots), action: null };
  }

  private done(action: string, row = ""): Given {
    return { asking: new Asking(this.scene, this.seat, this.path.slice(0, 1), this.slots), action, row };
  }

  private get unchanged(): Given {
    return { asking: this, action: null };
  }

  // ---------------------------------------------------------------- what is asked

  get root(): Question {
    return this.path[0] as Question;
  }

  get question(): Question {
    return this.path[this.path.length - 1] as Question;
  }

  get deeper(): boolean {
    return this.path.length > 1;
  }

  get installable(): Part[] {
    return this.parts?.parts.filter((part) => part.action) ?? [];
  }

  /** Whether there is anything to do at all. */
  get open(): boolean {
    return this.root.answers.length > 0 || this.installable.length > 0;
  }

  /** The actions a click on a cell can mean: those of the present question, else of the first. */
  at(x: number, y: number): Choice[] {
    const here = pointingAt(this.question, x, y);
    return here.length || !this.deeper ? here : pointingAt(this.root, x, y);
  }

  /** The cells that mean something now, as "x,y", each with what it means. */
  cells(): Map<string, Choice[]> {
    const found = new Map<string, Choice[]>();
    for (const choice of choicesUnder(this.question)) {
      if (!choice.cell) continue;
      const key = `${choice.cell[0]},${choice.cell[1]}`;
      const there = found.get(key);
      if (there) there.push(choice);
      else found.set(key, [choice]);
    }
    return found;
  }

  itemMeans(label: string): boolean {
    return aboutItem(this.root, label).length > 0;
  }

  /** The key that means what an item in a panel means. */
  itemKey(label: string): string {
    const answers = aboutItem(this.root, label);
    return answers.length === 1 && !this.deeper ? (answers[0]?.key ?? "") : "";
  }

  /** What the panel of ready-made rows says about one: "like the scout" is its item "scout". */
  rowDetail(row: string): string {
    return this.rows?.items.find((item) => row.endsWith(` ${item.label}`))?.detail ?? "";
  }

  /** The panel whose items are rows of answers; they tell it all, so it need not be shown besides. */
  get rows(): Items | null {
    const rows = this.root.answers.map(rowOf).filter(Boolean);
    const told = (panel: Items): boolean => panel.items.some((item) => rows.some((row) => row.endsWith(` ${item.label}`)));
    return rows.length === 0 ? null : (this.scene.panels.find((panel): panel is Items => panel.type === "items" && told(panel)) ?? null);
  }

  /** The next step of a row; null where it has ended. */
  nextOf(row: string): Given | null {
    const answer = this.root.answers.find((known) => rowOf(known) === row);
    return answer ? this.take(answer) : null;
  }

  cardKey(card: number): string {
    return this.spare[card] ?? "";
  }

  partKey(part: Part): string {
    const number = this.installable.indexOf(part);
    return number < 0 ? "" : (this.spare[number + (this.hand?.cards.length ?? 0)] ?? "");
  }

  slotOf(card: number): number {
    return this.slots.indexOf(card);
  }

  get filled(): number {
    return this.slots.filter((card) => card !== null).length;
  }

  /** The words of the cards up to the first empty slot: what a preview can be made of. */
  get begun(): string {
    if (!this.hand) return "";
    const empty = this.slots.indexOf(null);
    return this.words(empty < 0 ? this.slots : this.slots.slice(0, empty));
  }

  /** The action's text of a filled hand. */
  get program(): string | null {
    return this.hand && this.slots.length > 0 && this.filled === this.slots.length ? this.words(this.slots) : null;
  }

  private words(cards: readonly (number | null)[]): string {
    return cards.map((card) => (card === null ? "" : (this.hand?.cards[card]?.word ?? ""))).join(" ");
  }

  // ---------------------------------------------------------------- what the person does

  /** A key, by its name ("up", "space", "a"). Null where it means nothing here. */
  press(key: string): Given | null {
    const answer = this.question.answers.find((known) => known.key === key);
    if (answer) return this.take(answer);
    if (key === "escape" && this.deeper) return this.back();
    if ((key === "backspace" || key === "escape") && this.filled > 0) return this.takeBack();
    if (key === "enter" && this.program !== null) return this.confirm();
    const thatWay = this.question.answers.find((known) => directionOf(known.label) === key);
    if (thatWay) return this.take(thatWay); // who sits alone at the keyboard may use the arrows, whatever the seat
    if (this.deeper) return null;
    const card = this.hand ? this.hand.cards.findIndex((_, number) => this.cardKey(number) === key) : -1;
    if (card >= 0) return this.toggle(card);
    const part = this.installable.find((known) => this.partKey(known) === key);
    return part ? this.install(part) : null;
  }

  take(answer: Answer): Given {
    if (!answer.leadsTo || answer.leadsTo.answers.length === 0) {
      return answer.choice ? this.done(answer.choice.action, rowOf(answer)) : this.unchanged;
    }
    if (!answer.choice) return this.with([...this.path, answer.leadsTo]);
    // An action that has variants: itself first, then those.
    const itself: Answer = { label: answer.label, key: "enter", choice: answer.choice, leadsTo: null };
    const variants: Question = { text: answer.leadsTo.text, answers: [itself, ...answer.leadsTo.answers] };
    if (answer.leadsTo.answers.some((known) => known.key === "enter")) itself.key = "";
    giveKeys(variants);
    return this.with([...this.path, variants]);
  }

  back(): Given {
    return this.deeper ? this.with(this.path.slice(0, -1)) : this.unchanged;
  }

  /** A click on a cell: the one action that points there, or a question which of several. Null: nothing points there. */
  pointAt(x: number, y: number): Given | null {
    const choices = this.at(x, y);
    if (choices.length === 0) return null;
    if (choices.length === 1 && choices[0]) return this.done(choices[0].action);
    const answers = choices.map((choice) => ({ label: choice.group ? `${choice.group}: ${choice.label}` : choice.label, key: "", choice, leadsTo: null }));
    return this.which(`(${x}, ${y}): which?`, answers);
  }

  /** A click on an item in a panel. Null where nothing can be done with it. */
  pointAtItem(label: string): Given | null {
    const answers = aboutItem(this.root, label);
    const first = answers[0];
    if (!first) return null;
    const start = new Asking(this.scene, this.seat, [this.root], this.slots);
    if (answers.length === 1) return start.take(first);
    return start.which(`${label}: which?`, answers.map((answer) => ({ ...answer, key: "" })));
  }

  private which(text: string, answers: Answer[]): Given {
    const question: Question = { text, answers };
    giveKeys(question);
    return this.with([...this.path, question]);
  }

  install(part: Part): Given {
    return part.action ? this.done(part.action) : this.unchanged;
  }

  // ---------------------------------------------------------------- cards

  /** A card goes into the first free slot, or out of its own. */
  toggle(card: number): Given {
    const slot = this.slotOf(card);
    if (slot >= 0) return this.put(null, slot);
    const free = this.slots.indexOf(null);
    return free < 0 ? this.unchanged : this.put(card, free);
  }

  /** Puts a card into a slot; one that lies there changes places with it, or goes back to the hand. */
  put(card: number | null, slot: number): Given {
    if (slot < 0 || slot >= this.slots.length) return this.unchanged;
    const slots = [...this.slots];
    const from = card === null ? -1 : slots.indexOf(card);
    if (from >= 0) slots[from] = slots[slot] ?? null;
    slots[slot] = card;
    return this.with(this.path, slots);
  }

  /** Moves the card in a slot one slot to the left (-1) or right (+1). */
  shift(slot: number, by: number): Given {
    const card = this.slots[slot];
    return card === null || card === undefined ? this.unchanged : this.put(card, slot + by);
  }

  /** The last card goes back to the hand. */
  takeBack(): Given {
    const last = this.slots.findLastIndex((card) => card !== null);
    return last < 0 ? this.unchanged : this.put(null, last);
  }

  confirm(): Given {
    const program = this.program;
    return program === null ? this.unchanged : this.done(program);
  }

  cardIn(slot: number): Card | null {
    const card = this.slots[slot];
    return card === null || card === undefined ? null : (this.hand?.cards[card] ?? null);
  }
}
