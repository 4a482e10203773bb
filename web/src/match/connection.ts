/**
 * The socket of one match, kept alive: it comes back by itself, tells the server where it left off, and sends
 * again what was not acknowledged, with the same number, so that nothing is lost and nothing counts twice.
 *
 * Knows no page: what it hears it hands on. Time, chance and sockets come in from outside, for the tests.
 */

import { openMatchSocket } from "../lib/match_socket";
import type { Answered, Cell, Message, Said } from "../lib/types";

const WAITS_MS = [300, 700, 1500, 3000, 6000, 12000] as const;
const QUIET_MS = 25_000; // after so long without a word we ask whether anybody is there
const DEAF_MS = 10_000; // and after so long without an answer we come again
const UNHEARD_MS = 6_000; // as after so long without a word about an action
const ANSWER_MS = 6_000;
const FLOOD_MS = 20_000;
const QUESTIONS = 26; // in FLOOD_MS; the server allows 60 messages, and actions must always get through

export type State = "connecting" | "open" | "waiting" | "gone";

export interface Socket {
  send(data: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
}

/** What lies outside: sockets, time and chance. */
export interface World {
  open(since: number): Socket;
  now(): number;
  later(ms: number, act: () => void): () => void; // returns how to call it off
  random(): number;
}

export interface Listener {
  heard(message: Message): void;
  changed(state: State, sentence: string): void;
}

type Act = Extract<Said, { type: "act" }>;

/** Codes after which coming again would not help. */
const FINAL: Record<number, string> = {
  4401: "Log in to see this match.",
  4403: "This match is not open to you.",
  4404: "There is no such match.",
};

export class Connection {
  state: State = "connecting";
  private socket: Socket | null = null;
  private attempts = 0;
  private since = -1;
  private greeted = false; // this socket has had its first frame
  private closed = false;
  private unacknowledged: Act[] = [];
  private readonly nextSeq = new Map<number, number>();
  private readonly answers = new Map<number, (answer: Answered | null) => void>();
  private lastId = 0;
  private asked: number[] = []; // when the last questions were asked
  private callOff: (() => void)[] = [];
  private stopWatching: () => void = () => {};
  private expecting = false; // something was said that must be answered soon
  private readonly world: World;
  private readonly listener: Listener;

  constructor(world: World, listener: Listener) {
    this.world = world;
    this.listener = listener;
    this.connect();
  }

  // ---------------------------------------------------------------- what the page says

  /** Whether an action of a seat is still on its way. */
  busy(seat: number): boolean {
    return this.unacknowledged.some((act) => act.seat === seat);
  }

  act(seat: number, text: string, step: number): void {
    const highest = Math.max(0, ...this.unacknowledged.filter((act) => act.seat === seat).map((act) => act.seq));
    const seq = Math.max(this.nextSeq.get(seat) ?? 1, highest + 1);
    const act: Act = { type: "act", seq, seat, text, step };
    this.unacknowledged.push(act);
    if (this.greeted && this.send(act)) this.expectWord();
  }

  resign(seat: number): void {
    this.send({ type: "resign", seat });
  }

  draw(seat: number, answer: "offer" | "accept" | "decline"): void {
    this.send({ type: "draw", seat, answer });
  }

  /** What would this do? Null where there is no answer: not connected, or asked too often. */
  preview(seat: number, text: string): Promise<Answered | null> {
    return this.ask((id) => ({ type: "preview", id, seat, text }));
  }

  why(seat: number, about: { text?: string; key?: string; cell?: Cell }): Promise<Answered | null> {
    return this.ask((id) => ({ type: "why", id, seat, ...about }));
  }

  /** Comes again at once, if it is waiting to. */
  hurry(): void {
    if (this.state === "waiting") {
      this.attempts = 0;
      this.connect();
    }
  }

  /** Asks whether the server is still there: the browser says that the network has gone. */
  doubt(): void {
    if (this.send({ type: "ping", id: 0 })) this.expectWord();
  }

  close(): void {
    this.closed = true;
    this.forget();
    this.socket?.close(1000);
    this.socket = null;
  }

  // ---------------------------------------------------------------- the socket

  private send(said: Said): boolean {
    if (!this.socket || this.state !== "open") return false;
    this.socket.send(JSON.stringify(said));
    return true;
  }

  private ask(make: (id: number) => Said): Promise<Answered | null> {
    const now = this.world.now();
    this.asked = this.asked.filter((when) => now - when < FLOOD_MS);
    if (this.asked.length >= QUESTIONS) return Promise.resolve(null);
    const id = ++this.lastId;
    if (!this.send(make(id))) return Promise.resolve(null);
    this.asked.push(now);
    return new Promise((resolve) => {
      const callOff = this.world.later(ANSWER_MS, () => this.answered(id, null));
      this.answers.set(id, (answer) => {
        callOff();
        resolve(answer);
      });
    });
  }

  private answered(id: number, answer: Answered | null): void {
    const resolve = this.answers.get(id);
    this.answers.delete(id);
    resolve?.(answer);
  }

  private connect(): void {
    this.forget();
    this.greeted = false;
    this.become("connecting");
    const socket = this.world.open(this.since);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.become("open");
      this.watch();
    };
    socket.onmessage = (event) => {
      if (socket === this.socket && typeof event.data === "string") this.hear(event.data);
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code, event.reason);
    };
  }

  private lost(code: number, reason: string): void {
    this.forget();
    this.socket = null;
    this.greeted = false;
    for (const id of [...this.answers.keys()]) this.answered(id, null);
    if (this.closed) return;
    const final = FINAL[code];
    if (final) {
      this.become("gone", reason || final);
      return;
    }
    if (code === 1008) this.comeAgain(FLOOD_MS, reason || "The server asks for fewer messages: a short break.");
    else this.comeAgain(this.wait(), "The connection is lost. Trying again …");
  }

  private wait(): number {
    const longest = WAITS_MS[Math.min(this.attempts, WAITS_MS.length - 1)] ?? 0;
    this.attempts += 1;
    return longest * (0.6 + 0.4 * this.world.random()); // not all at once after a restart
  }

  private comeAgain(ms: number, sentence: string): void {
    this.become("waiting", sentence);
    this.callOff.push(this.world.later(ms, () => this.connect()));
  }

  /** Asks whether the server is still there when it has been quiet for long. */
  private watch(): void {
    this.stopWatching();
    this.expecting = false;
    this.stopWatching = this.world.later(QUIET_MS, () => {
      this.send({ type: "ping", id: 0 });
      this.expectWord(DEAF_MS);
    });
  }

  /** Comes again if nothing at all is heard for so long; what is said meanwhile does not put that off. */
  private expectWord(ms = UNHEARD_MS): void {
    if (this.expecting) return;
    this.stopWatching();
    this.expecting = true;
    this.stopWatching = this.world.later(ms, () => {
      const socket = this.socket;
      this.lost(1006, "");
      socket?.close();
    });
  }

  private forget(): void {
    this.stopWatching();
    this.expecting = false;
    for (const callOff of this.callOff.splice(0)) callOff();
  }

  private become(state: State, sentence = ""): void {
    this.state = state;
    this.listener.changed(state, sentence);
  }

  // ---------------------------------------------------------------- what the server says

  private hear(text: string): void {
    this.watch();
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return; // no message of this protocol
    }
    if (message.type === "welcome") this.attempts = 0;
    else if (message.type === "frame") {
      this.since = message.step;
      for (const picture of message.pictures) if (picture.seat !== null && picture.next_seq) this.learn(picture.seat, picture.next_seq);
    } else if (message.type === "ack") this.learn(message.seat, message.seq + 1);
    else if (message.type === "refused") this.drop(message.seat, message.seq);
    else if (message.type === "answer") this.answered(message.id, message);
    this.listener.heard(message);
    if (message.type === "frame" && !this.greeted) {
      this.greeted = true;
      for (const act of this.unacknowledged) if (this.send(act)) this.expectWord();
    }
    if (message.type === "reconnect") {
      const socket = this.socket;
      this.socket = null;
      this.greeted = false;
      this.forget();
      socket?.close(1000);
      this.comeAgain(message.after_ms, "The server restarts. Coming again …");
    }
  }

  /** Everything of a seat below `next` is committed. */
  private learn(seat: number, next: number): void {
    this.nextSeq.set(seat, Math.max(next, this.nextSeq.get(seat) ?? 1));
    this.unacknowledged = this.unacknowledged.filter((act) => act.seat !== seat || act.seq >= next);
  }

  /** A refusal uses up no number: what was sent behind it is refused too. */
  private drop(seat: number, seq: number): void {
    this.unacknowledged = this.unacknowledged.filter((act) => act.seat !== seat || act.seq !== seq);
  }
}

/** The browser's own socket to a match. */
export function browserWorld(matchId: string): World {
  return {
    open(since) {
      return openMatchSocket(matchId, since >= 0 ? { since: String(since) } : {}) as unknown as Socket;
    },
    now: () => performance.now(),
    later(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    random: Math.random,
  };
}
