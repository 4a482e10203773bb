/**
 * What the server says, as types: scenes (core/scene.py), the socket's messages (server/messages.py)
 * and the answers of the HTTP interface that several pages use.
 *
 * Nothing here does anything. Fields that the server leaves out when they hold their default are optional.
 */

// ------------------------------------------------------------------ the scene

export type Cell = [x: number, y: number];

export interface Sprite {
  id: string;
  look: string;
  x: number;
  y: number;
  turn: number; // eighths of a full turn, clockwise from up
  seat: number;
  layer: number;
  badge: string;
}

export interface Edge {
  x: number;
  y: number;
  side: "north" | "west";
}

export type MarkKind = "reachable" | "range" | "danger" | "seen" | "last" | "target" | "path";

export interface Mark {
  x: number;
  y: number;
  kind: MarkKind;
  why: string;
}

export interface Lines {
  type: "lines";
  title: string;
  lines: string[];
  seat: number;
}

export interface Gauge {
  type: "gauge";
  label: string;
  value: number;
  maximum: number;
  seat: number;
}

export interface Item {
  label: string;
  count: number;
  detail: string;
  selected: boolean;
}

export interface Items {
  type: "items";
  title: string;
  items: Item[];
  seat: number;
}

export interface Card {
  word: string; // how the card is named in the action's text
  label: string;
  detail: string;
}

export interface Hand {
  type: "hand";
  title: string;
  cards: Card[];
  slots: number;
  seat: number;
}

export interface Part {
  label: string;
  cost: number;
  action: string; // the action that installs it; empty if it cannot be installed now
  installed: boolean;
  detail: string;
}

export interface Parts {
  type: "parts";
  title: string;
  parts: Part[];
  used: number;
  budget: number;
  seat: number;
}

export type Panel = Lines | Gauge | Items | Hand | Parts;

export interface Choice {
  action: string;
  label: string;
  key: string;
  question: string;
  group: string;
  cell: Cell | null;
  item: string;
}

export interface Scene {
  width: number;
  height: number;
  title: string;
  ground: string[];
  sprites: Sprite[];
  edges: Edge[];
  marks: Mark[];
  panels: Panel[];
  choices: Choice[];
  focus: Cell | null;
}

export interface Stage {
  caption: string;
  scene: Scene;
}

export interface Look {
  glyph: string;
  word: string;
  colour: string;
  turned: string[];
}

export interface Looks {
  background: string;
  ground: Record<string, string>; // a character of Scene.ground -> the name of its look
  looks: Record<string, Look>;
}

// ------------------------------------------------------------------ matches

export interface SeatInfo {
  seat: number;
  kind: "open" | "human" | "builtin" | "bot";
  name: string;
  player: string | null;
  bot: string;
  rating: number | null;
  mine: boolean;
  present: boolean;
  score: number | null;
  place: number | null;
}

export interface Outcome {
  scores: number[];
  places: number[];
  reason: string;
}

export interface MatchInfo {
  id: string;
  game: string;
  title: string;
  status: "open" | "playing" | "over" | "stopped";
  listed: boolean;
  rated: boolean;
  created: string;
  started: string | null;
  ended: string | null;
  clock: string;
  options: Record<string, unknown>;
  seats: SeatInfo[];
  step: number;
  to_act: number[];
  outcome: Outcome | null;
  stopped: string;
  seed_hash: string;
  seed: string | null;
  rematch: string | null;
  draw_offers: number[];
  draws: boolean;
  watchers: number;
  created_by: string | null;
  contest: string | null;
}

// ------------------------------------------------------------------ the socket: what we say

export type Said =
  | { type: "act"; seq: number; text: string; seat: number; step?: number }
  | { type: "resign"; seat: number }
  | { type: "draw"; seat: number; answer: "offer" | "accept" | "decline" }
  | { type: "preview"; id: number; seat: number; text: string }
  | { type: "why"; id: number; seat: number; text?: string; key?: string; cell?: Cell }
  | { type: "ping"; id: number };

// ------------------------------------------------------------------ the socket: what the server says

export interface ClockInfo {
  limit_ms?: number | null;
  bank_ms?: number;
}

export interface Picture {
  seat: number | null; // null: the judge's eyes
  lines?: string[];
  scene?: Scene | null;
  stages?: Stage[];
  next_seq?: number;
}

export interface Welcome {
  type: "welcome";
  version: number;
  turntile: string;
  match: MatchInfo;
  seats: number[];
  delay_s: number;
  delay_steps: number;
}

export interface Frame {
  type: "frame";
  number: number;
  step: number;
  pictures: Picture[];
  to_act: number[];
  waiting: number[];
  clocks: ClockInfo[];
  due_ms: number | null;
  outcome: Outcome | null;
  covered: boolean;
  missed_before: number;
}

export interface Ack {
  type: "ack";
  seat: number;
  seq: number;
  number: number;
  repeated: boolean;
}

export interface Refused {
  type: "refused";
  seat: number;
  seq: number;
  sentence: string;
  key: string;
}

export interface Answered {
  type: "answer";
  id: number;
  sentence: string;
  marks: Mark[];
}

export interface Told {
  type: "told";
  sentence: string;
  match: MatchInfo | null;
  seat: number;
}

export type Message =
  | Welcome
  | Frame
  | Ack
  | Refused
  | Answered
  | Told
  | { type: "pong"; id: number }
  | { type: "error"; sentence: string }
  | { type: "reconnect"; after_ms: number };

// ------------------------------------------------------------------ the HTTP interface

export interface Player {
  name: string;
  kind: "person" | "guest" | "bot";
  about?: string;
  created?: string;
}

export interface Level {
  level: string;
  name: string;
  bot: string;
  summary: string;
}

export interface GameOption {
  name: string;
  default: unknown;
  allowed: string;
  meaning: string;
  kind: "number" | "bool" | "choice" | "text";
  minimum?: number | null;
  maximum?: number | null;
  values?: string[] | null;
}

export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: [min: number, max: number];
  hidden: boolean;
  draws: boolean;
  turn_ms: number;
  has_preview: boolean;
  rules_version: number;
  levels: Level[];
  options: GameOption[];
  background: string;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}
