/**
 * A match as this page holds it: what the server has told, whose eyes we look through, what is being asked,
 * and which moment of a long step is shown. The page draws it; `Connection` brings the news.
 */

import { gameNamed } from "../lib/api";
import { withNames } from "../lib/names";
import type { Choice, Frame, GameInfo, Mark, MatchInfo, Message, Picture, Scene, Stage } from "../lib/types";
import { Asking, type Given } from "../input/asking";
import { keysAtOneKeyboard } from "../input/keys";
import { choicesUnder } from "../input/questions";
import type { Connection, Listener, State } from "./connection";

export interface LogLine {
  number: number;
  step: number;
  text: string;
  kind: "told" | "around"; // told by the game, or about the people around it
}

interface Playing {
  step: number; // the first one shown
  stages: readonly Stage[];
  at: number;
}

const MOST_LINES = 500;
const STAGE_MS = 900;
const LONG_STAGE_MS = 550; // where a step has many
const MOST_LIT = 12; // answers whose outcome is asked for, to light up the board

export class Table implements Listener {
  info: MatchInfo | null = $state.raw(null);
  game: GameInfo | null = $state.raw(null);
  frame: Frame | null = $state.raw(null);
  seats: readonly number[] = $state.raw([]);
  delay = $state.raw({ seconds: 0, steps: 0 });
  link: State = $state("connecting");
  linkSentence = $state("");
  framedAt = $state(0); // when the frame came, by performance.now()

  eyes: number | null = $state(null); // whose picture is shown; null: the judge's
  curtain: number | null = $state(null); // the seat the screen is to be handed to
  playing: Playing | null = $state.raw(null);
  asking: Asking | null = $state.raw(null);
  besides: readonly Asking[] = $state.raw([]); // real time: what the other seats at this screen are asked
  sending = $state(false);
  refusal = $state("");
  refusals = $state(0); // counts, so that the same sentence is said again
  foreseen: readonly Mark[] = $state.raw([]); // what the answer under the pointer would do
  lit: ReadonlyMap<string, Choice> = $state.raw(new Map()); // cells that stand for an answer by what it would do
  litMarks: readonly Mark[] = $state.raw([]);
  spoken = $state.raw({ number: 0, text: "" });

  connection: Connection | null = null;
  private logs: ReadonlyMap<number | null, readonly LogLine[]> = $state.raw(new Map());
  private lines = 0;
  private stageTimer: ReturnType<typeof setTimeout> | undefined;
  private previews = new Map<string, readonly Mark[]>();
  private considered = "";
  private readonly rows = new Map<number, string>(); // by seat, what its last answer began and the next frames go on with
  private liveKeys = new Map<number, Map<string, string>>();
  private readonly fetchGame: (name: string) => Promise<GameInfo>;

  constructor(fetchGame: (name: string) => Promise<GameInfo> = gameNamed) {
    this.fetchGame = fetchGame;
  }

  // ---------------------------------------------------------------- what is shown

  get picture(): Picture | null {
    const pictures = this.frame?.pictures ?? [];
    return pictures.find((picture) => picture.seat === this.eyes) ?? pictures[0] ?? null;
  }

  /** The scene on the board: a moment of the step being shown, else the present one. */
  get scene(): Scene | null {
    const stage = this.playing?.stages[this.playing.at];
    return stage?.scene ?? this.picture?.scene ?? null;
  }

  get caption(): string {
    return this.named(this.playing?.stages[this.playing.at]?.caption ?? "");
  }

  get log(): readonly LogLine[] {
    return this.logs.get(this.eyes) ?? [];
  }

  /** The log without what the moments being shown have still to tell. */
  get toldLog(): readonly LogLine[] {
    const step = this.playing?.step;
    return step === undefined ? this.log : this.log.filter((line) => line.step < step || line.kind === "around");
  }

  get watching(): boolean {
    return this.seats.length === 0;
  }

  /** Real time: the step is played whether one has chosen or not. */
  get live(): boolean {
    return this.frame !== null && this.frame.due_ms !== null && this.frame.outcome === null;
  }

  get over(): boolean {
    return this.frame?.outcome != null || this.info?.status === "over" || this.info?.status === "stopped";
  }

  /** Whether the seat whose eyes we have is to choose now. */
  get mayAct(): boolean {
    if (this.eyes === null || this.curtain !== null || this.playing !== null || this.over) return false;
    return this.live ? this.seats.includes(this.eyes) : (this.frame?.waiting.includes(this.eyes) ?? false);
  }

  /** A text of the game with the players' names instead of "seat 0". */
  named(text: string): string {
    return withNames(text, this.info?.seats.map((seat) => seat.name) ?? []);
  }

  nameOf(seat: number): string {
    return this.info?.seats[seat]?.name || `Seat ${seat}`;
  }

  // ---------------------------------------------------------------- what the server says

  heard(message: Message): void {
    switch (message.type) {
      case "welcome":
        this.seats = message.seats;
        this.delay = { seconds: message.delay_s ?? 0, steps: message.delay_steps ?? 0 };
        this.learnMatch(message.match);
        break;
      case "frame":
        this.take(message);
        break;
      case "told":
        if (message.match) this.learnMatch(message.match);
        if (message.sentence) this.tell(message.sentence);
        break;
      case "ack":
        this.sending = this.connection?.busy(message.seat) ?? false;
        break;
      case "refused":
        this.sending = false;
        this.rows.delete(message.seat);
        this.refuse(message.sentence);
        break;
      case "error":
        this.refuse(message.sentence);
        break;
      default:
        break;
    }
  }

  changed(state: State, sentence: string): void {
    this.link = state;
    this.linkSentence = sentence;
  }

  private learnMatch(info: MatchInfo): void {
    this.info = info;
    if (this.game?.name !== info.game) {
      void this.fetchGame(info.game).then(
        (game) => (this.game = game),
        () => {}, // the board still draws; only previews need to know the game
      );
    }
  }

  private take(frame: Frame): void {
    const before = this.frame;
    const moved = before !== null && frame.step !== before.step;
    this.frame = { ...frame, to_act: frame.to_act ?? [], waiting: frame.waiting ?? [], clocks: frame.clocks ?? [] };
    this.framedAt = performance.now();
    if (moved) {
      this.previews.clear();
      this.refusal = "";
    }
    this.sending = false;
    this.goOn(this.frame);
    this.lookThrough(frame);
    for (const picture of frame.pictures) this.keepLines(picture, frame);
    const stages = this.picture?.stages ?? [];
    if (moved && stages.length > 0 && this.curtain === null) this.play(stages, frame.step);
    this.askAnew();
  }

  /** Chooses whose eyes to look through; where others must not see it, the screen is covered first. */
  private lookThrough(frame: Frame): void {
    const held = frame.pictures.map((picture) => picture.seat);
    if (held.length <= 1) {
      this.eyes = held[0] ?? null;
      this.curtain = null;
      return;
    }
    const first = this.eyes === null || !held.includes(this.eyes);
    if (frame.due_ms !== null || (this.game?.turn_ms ?? 0) > 0) {
      // Real time: nobody could hand over in time, and all look at one board.
      if (first) this.eyes = held[0] ?? null;
      this.curtain = null;
      return;
    }
    const waiting = (frame.waiting ?? []).filter((seat) => !this.rows.has(seat)); // those others need nobody in front of the screen
    const wanted = !first && (waiting.length === 0 || waiting.includes(this.eyes ?? -1)) ? this.eyes : (waiting[0] ?? held[0] ?? null);
    if (frame.outcome !== null) this.curtain = null;
    if (this.curtain !== null && waiting.includes(this.curtain)) return;
    if (frame.covered && wanted !== null && frame.outcome === null && (first || wanted !== this.eyes)) {
      this.curtain = wanted;
      this.skip();
    } else {
      this.eyes = wanted;
      this.curtain = null;
    }
  }

  /** The person the screen was handed to is there. */
  lift(): void {
    this.eyes = this.curtain;
    this.curtain = null;
    this.askAnew();
    this.say(`${this.nameOf(this.eyes ?? 0)}: ${this.named(this.scene?.title ?? "")}`);
  }

  private keepLines(picture: Picture, frame: Frame): void {
    const missed = frame.missed_before ?? 0;
    const texts = [...(missed ? [`(${missed} steps went by while you were away)`] : []), ...(picture.lines ?? []).map((line) => this.named(line))];
    if (texts.length === 0) return;
    const fresh = texts.map((text): LogLine => ({ number: ++this.lines, step: frame.step, text, kind: "told" }));
    this.append(picture.seat, fresh);
    if (picture.seat === this.eyes && this.curtain === null) this.say(texts.slice(-6).join(". "));
  }

  private tell(text: string): void {
    const line: LogLine = { number: ++this.lines, step: this.frame?.step ?? 0, text, kind: "around" };
    const ears = this.frame?.pictures.map((picture) => picture.seat) ?? [this.eyes];
    for (const seat of ears) this.append(seat, [line]);
    this.say(text);
  }

  private append(seat: number | null, lines: LogLine[]): void {
    const logs = new Map(this.logs);
    logs.set(seat, [...(logs.get(seat) ?? []), ...lines].slice(-MOST_LINES));
    this.logs = logs;
  }

  say(text: string): void {
    this.spoken = { number: this.spoken.number + 1, text };
  }

  refuse(sentence: string): void {
    this.refusal = this.named(sentence);
    this.refusals += 1;
  }

  // ---------------------------------------------------------------- a long step, moment by moment

  private play(stages: readonly Stage[], step: number): void {
    this.playing = this.playing ? { ...this.playing, stages: [...this.playing.stages, ...stages] } : { step, stages, at: 0 };
    clearTimeout(this.stageTimer);
    this.stageTimer = setTimeout(() => this.nextStage(), this.pace());
  }

  private pace(): number {
    return (this.playing?.stages.length ?? 0) > 24 ? LONG_STAGE_MS : STAGE_MS;
  }

  private nextStage(): void {
    if (!this.playing) return;
    if (this.playing.at + 1 >= this.playing.stages.length) {
      this.skip();
      return;
    }
    this.playing = { ...this.playing, at: this.playing.at + 1 };
    this.stageTimer = setTimeout(() => this.nextStage(), this.pace());
  }

  /** Straight to how it stands now. */
  skip(): void {
    clearTimeout(this.stageTimer);
    this.playing = null;
  }

  // ---------------------------------------------------------------- what is asked

  private askAnew(): void {
    this.askBesides();
    const picture = this.picture;
    const scene = picture?.scene;
    if (!scene || picture.seat === null) {
      this.setAsking(null);
      return;
    }
    // In real time a seat that has chosen may still choose otherwise; its buttons stay where they are.
    if (this.live && scene.choices.length === 0 && this.asking?.seat === picture.seat) return;
    this.setAsking(Asking.again(this.asking, scene, picture.seat));
  }

  /** Rows that were begun, part after part: their next steps, until they have ended or cannot go on. Nobody need look at it. */
  private goOn(frame: Frame): void {
    for (const { seat, scene } of frame.pictures) {
      const row = seat === null ? undefined : this.rows.get(seat);
      if (seat === null || row === undefined || !scene || !frame.waiting.includes(seat) || this.connection?.busy(seat)) continue;
      const next = Asking.about(scene, seat).nextOf(row);
      if (next?.action == null) {
        this.rows.delete(seat);
        continue;
      }
      this.connection?.act(seat, next.action, frame.step);
      if (seat === this.eyes) this.sending = true;
    }
  }

  private askBesides(): void {
    const others = this.live ? (this.frame?.pictures ?? []).filter((picture) => picture.seat !== null && picture.seat !== this.eyes) : [];
    this.besides = others.flatMap((picture) => {
      const seat = picture.seat ?? 0;
      const before = this.besides.find((asking) => asking.seat === seat) ?? null;
      if (!picture.scene || (picture.scene.choices.length === 0 && before)) return before ? [before] : [];
      return [Asking.again(before, picture.scene, seat)];
    });
  }

  private setAsking(asking: Asking | null): void {
    const sameQuestion = this.asking !== null && asking !== null && this.asking.question === asking.question;
    const before = this.asking?.begun;
    this.asking = asking;
    if (!sameQuestion) {
      this.foreseen = [];
      this.considered = "";
      void this.lightUp();
    }
    if (asking?.hand && (asking.begun !== before || !sameQuestion)) void this.consider(asking.begun);
  }

  /** Takes an answer: a further question is shown, an action is sent. */
  give(given: Given | null): boolean {
    if (!given) return false;
    if (given.action !== null) {
      this.act(given.asking.seat, given.action);
      if (given.row) this.rows.set(given.asking.seat, given.row);
    } else if (given.asking.deeper && given.asking.question !== this.asking?.question) this.say(given.asking.question.text);
    this.setAsking(given.asking);
    return true;
  }

  act(seat: number, text: string): void {
    if (!this.connection || this.curtain !== null) return;
    if (!this.live && this.connection.busy(seat)) return;
    this.refusal = "";
    this.rows.delete(seat);
    this.sending = true;
    // In real time a late key means the step after; else an action belongs to the step it was chosen at.
    this.connection.act(seat, text, this.live ? -1 : (this.frame?.step ?? -1));
  }

  point(x: number, y: number): void {
    if (this.playing) {
      this.skip();
      return;
    }
    if (!this.mayAct || !this.asking) {
      if (!this.watching) void this.askWhy({ cell: [x, y] });
      return;
    }
    const lit = this.lit.get(`${x},${y}`);
    if (lit) this.give({ asking: this.asking.back().asking, action: lit.action });
    else if (!this.give(this.asking.pointAt(x, y))) void this.askWhy({ cell: [x, y] });
  }

  /** A key by its name. True where it meant something. */
  press(key: string): boolean {
    if (this.curtain !== null || this.over) return false;
    if (this.playing && (key === "escape" || key === "enter" || key === "space")) {
      this.skip();
      return true;
    }
    if (this.live) return this.pressLive(key);
    if (!this.mayAct || !this.asking) return false;
    return this.give(this.asking.press(key));
  }

  private pressLive(key: string): boolean {
    for (const [seat, keys] of this.keysBySeat()) {
      const action = keys.get(key);
      if (action !== undefined) {
        this.act(seat, action);
        return true;
      }
    }
    return this.asking !== null && this.seats.length === 1 && this.give(this.asking.press(key));
  }

  /** Real time: by seat, which key means what; a seat that has chosen keeps its keys until the next step. */
  keysBySeat(): ReadonlyMap<number, Map<string, string>> {
    const scenes = new Map<number, Scene>();
    for (const picture of this.frame?.pictures ?? []) if (picture.seat !== null && picture.scene) scenes.set(picture.seat, picture.scene);
    for (const [seat, keys] of keysAtOneKeyboard(scenes)) if (keys.size > 0) this.liveKeys.set(seat, keys);
    return this.liveKeys;
  }

  async askWhy(about: { key?: string; cell?: [number, number] }): Promise<void> {
    const seat = this.eyes ?? this.seats[0];
    // In real time nobody reads sentences.
    if (seat === undefined || this.live || this.over || this.curtain !== null) return;
    const answer = await this.connection?.why(seat, about);
    if (answer?.sentence) this.refuse(answer.sentence);
  }

  // ---------------------------------------------------------------- what an answer would do

  /** Shows what an action, or its beginning, would do; "" for nothing. */
  async consider(text: string): Promise<void> {
    this.considered = text;
    const marks = text ? await this.preview(text) : [];
    if (this.considered === text) this.foreseen = marks;
  }

  private async preview(text: string): Promise<readonly Mark[]> {
    const seat = this.eyes;
    if (seat === null || !this.game?.has_preview || !this.mayAct) return [];
    const key = `${seat} ${text}`;
    const known = this.previews.get(key);
    if (known) return known;
    const step = this.frame?.step;
    const answer = await this.connection?.preview(seat, text);
    if (!answer) return [];
    if (step === this.frame?.step) this.previews.set(key, answer.marks ?? []);
    return answer.marks ?? [];
  }

  /** A further question whose answers point at no cell: light up the cells that each would reach. */
  private async lightUp(): Promise<void> {
    const asking = this.asking;
    this.lit = new Map();
    this.litMarks = [];
    if (!asking?.deeper) return;
    const choices = choicesUnder(asking.question);
    if (choices.some((choice) => choice.cell)) {
      this.litMarks = choices.flatMap((choice): Mark[] => (choice.cell ? [{ x: choice.cell[0], y: choice.cell[1], kind: "range", why: choice.label }] : []));
      return;
    }
    if (choices.length > MOST_LIT) return;
    const marks = await Promise.all(choices.map((choice) => this.preview(choice.action)));
    if (this.asking?.question !== asking.question) return;
    const lit = new Map<string, Choice>();
    // Where two answers pass the same cell it stands for neither; where one ends it stands for that one.
    const passed = new Map<string, Choice | null>();
    choices.forEach((choice, n) => {
      for (const mark of marks[n] ?? []) {
        const cell = `${mark.x},${mark.y}`;
        if (mark.kind === "target") lit.set(cell, choice);
        else passed.set(cell, passed.has(cell) && passed.get(cell) !== choice ? null : choice);
      }
    });
    for (const [cell, choice] of passed) if (choice && !lit.has(cell)) lit.set(cell, choice);
    this.lit = lit;
    this.litMarks = marks.flat();
  }
}
