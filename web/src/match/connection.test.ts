import { beforeEach, describe, expect, it } from "vitest";
import type { Frame, Message, Said } from "../lib/types";
import { Connection, type Socket, type State, type World } from "./connection";

class FakeSocket implements Socket {
  sent: Said[] = [];
  since: number;
  closedWith: number | undefined;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(since: number) {
    this.since = since;
  }
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Said);
  }
  close(code?: number): void {
    this.closedWith = code ?? 1005;
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  breaks(code = 1006, reason = ""): void {
    this.onclose?.({ code, reason });
  }
}

/** A world whose time passes only when told. */
class FakeWorld implements World {
  sockets: FakeSocket[] = [];
  time = 0;
  private timers: { at: number; act: () => void }[] = [];
  open(since: number): Socket {
    const socket = new FakeSocket(since);
    this.sockets.push(socket);
    return socket;
  }
  now(): number {
    return this.time;
  }
  later(ms: number, act: () => void): () => void {
    const timer = { at: this.time + ms, act };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((one) => one !== timer));
  }
  random(): number {
    return 1;
  }
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = next.at;
      next.act();
    }
    this.time = end;
  }
  get newest(): FakeSocket {
    return this.sockets.at(-1)!;
  }
}

const frame = (step: number, nextSeq = 1): Frame => ({
  type: "frame", number: step, step, pictures: [{ seat: 0, next_seq: nextSeq }], to_act: [0], waiting: [0], clocks: [], due_ms: null, outcome: null, covered: false, missed_before: 0,
});

let world: FakeWorld;
let heard: Message[];
let states: [State, string][];
let connection: Connection;

function greet(step = 0, nextSeq = 1): void {
  world.newest.onopen?.();
  world.newest.says({ type: "welcome", seats: [0] });
  world.newest.says(frame(step, nextSeq));
}

beforeEach(() => {
  world = new FakeWorld();
  heard = [];
  states = [];
  connection = new Connection(world, { heard: (message) => heard.push(message), changed: (state, sentence) => states.push([state, sentence]) });
});

describe("actions", () => {
  it("bear rising numbers from what the frame says", () => {
    greet(4, 3);
    connection.act(0, "left", 4);
    connection.act(0, "up", 4);
    expect(world.newest.sent).toEqual([
      { type: "act", seq: 3, seat: 0, text: "left", step: 4 },
      { type: "act", seq: 4, seat: 0, text: "up", step: 4 },
    ]);
  });

  it("are sent again with the same number when the connection broke before the ack", () => {
    greet();
    connection.act(0, "left", 0);
    world.newest.breaks();
    world.pass(1000);
    expect(world.sockets).toHaveLength(2);
    greet(0, 1);
    expect(world.newest.sent).toEqual([{ type: "act", seq: 1, seat: 0, text: "left", step: 0 }]);
  });

  it("are not sent again when the frame shows that they were committed", () => {
    greet();
    connection.act(0, "left", 0);
    world.newest.breaks();
    world.pass(1000);
    greet(1, 2);
    expect(world.newest.sent).toEqual([]);
    expect(connection.busy(0)).toBe(false);
    connection.act(0, "up", 1);
    expect(world.newest.sent).toMatchObject([{ seq: 2, text: "up" }]);
  });

  it("wait for the connection when chosen without one", () => {
    connection.act(0, "left", 0);
    expect(connection.busy(0)).toBe(true);
    greet();
    expect(world.newest.sent).toHaveLength(1);
  });

  it("are done with at the ack, and free their number when refused", () => {
    greet();
    connection.act(0, "left", 0);
    world.newest.says({ type: "refused", seat: 0, seq: 1, sentence: "no", key: "" });
    expect(connection.busy(0)).toBe(false);
    connection.act(0, "up", 0);
    expect(world.newest.sent[1]).toMatchObject({ seq: 1, text: "up" });
    world.newest.says({ type: "ack", seat: 0, seq: 1, number: 1, repeated: false });
    expect(connection.busy(0)).toBe(false);
    connection.act(0, "down", 1);
    expect(world.newest.sent[2]).toMatchObject({ seq: 2 });
  });

  it("of several seats are numbered apart", () => {
    greet();
    connection.act(0, "a", 0);
    connection.act(1, "b", 0);
    expect(world.newest.sent).toMatchObject([{ seat: 0, seq: 1 }, { seat: 1, seq: 1 }]);
  });
});

describe("coming again", () => {
  it("tells the step it has seen", () => {
    expect(world.newest.since).toBe(-1);
    greet(7);
    world.newest.breaks();
    world.pass(1000);
    expect(world.newest.since).toBe(7);
  });

  it("waits longer each time, and a short time again after a welcome", () => {
    const waits: number[] = [];
    for (let n = 0; n < 7; n++) {
      world.newest.breaks();
      const before = world.time;
      const known = world.sockets.length;
      while (world.sockets.length === known) world.pass(100);
      waits.push(world.time - before);
    }
    expect(waits).toEqual([300, 700, 1500, 3000, 6000, 12000, 12000]);
    greet();
    world.newest.breaks();
    world.pass(300);
    expect(world.sockets).toHaveLength(9);
  });

  it("is not tried where it would not help, and the reason is told", () => {
    world.newest.breaks(4404);
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    expect(states.at(-1)).toEqual(["gone", "There is no such match."]);
  });

  it("takes the time the server asks for", () => {
    greet();
    world.newest.says({ type: "reconnect", after_ms: 2000 });
    world.pass(1900);
    expect(world.sockets).toHaveLength(1);
    world.pass(200);
    expect(world.sockets).toHaveLength(2);
  });

  it("happens when nothing is heard for long, and not while the server answers", () => {
    greet();
    world.pass(25_000);
    expect(world.newest.sent).toEqual([{ type: "ping", id: 0 }]);
    world.newest.says({ type: "pong", id: 0 });
    world.pass(24_000);
    expect(world.sockets).toHaveLength(1);
    world.pass(12_000);
    expect(world.sockets).toHaveLength(2);
  });

  it("happens soon when nothing is heard about an action, however much is tried meanwhile", () => {
    greet();
    connection.act(0, "up", 1);
    world.pass(4_000);
    connection.act(0, "left", 1);
    world.pass(2_500);
    expect(states.some(([state]) => state === "waiting")).toBe(true);
    world.pass(1_000);
    world.newest.onopen?.();
    world.newest.says(frame(1));
    expect(world.newest.sent.map((said) => "text" in said && said.text)).toEqual(["up", "left"]);
  });

  it("happens soon when the network is said to have gone and nobody answers", () => {
    greet();
    connection.doubt();
    world.newest.says({ type: "pong", id: 0 });
    world.pass(20_000);
    expect(world.sockets).toHaveLength(1);
    connection.doubt();
    world.pass(7_000);
    expect(world.sockets).toHaveLength(2);
  });

  it("ends with the page", () => {
    greet();
    connection.close();
    world.pass(60_000);
    expect(world.sockets).toHaveLength(1);
    expect(world.newest.closedWith).toBe(1000);
  });

  it("can be hurried", () => {
    greet();
    for (let n = 0; n < 5; n++) {
      world.newest.breaks();
      connection.hurry();
    }
    expect(world.sockets).toHaveLength(6);
  });
});

describe("questions", () => {
  it("get the answer with their number", async () => {
    greet();
    const first = connection.preview(0, "1 2");
    const second = connection.why(0, { cell: [1, 2] });
    expect(world.newest.sent).toEqual([
      { type: "preview", id: 1, seat: 0, text: "1 2" },
      { type: "why", id: 2, seat: 0, cell: [1, 2] },
    ]);
    world.newest.says({ type: "answer", id: 2, sentence: "there is a wall", marks: [] });
    world.newest.says({ type: "answer", id: 1, sentence: "", marks: [] });
    expect((await second)?.sentence).toBe("there is a wall");
    expect((await first)?.id).toBe(1);
  });

  it("are given up when the connection breaks or no answer comes", async () => {
    greet();
    const lost = connection.preview(0, "1");
    world.newest.breaks();
    expect(await lost).toBeNull();
    expect(await connection.preview(0, "1")).toBeNull();
    world.pass(1000);
    greet();
    const silent = connection.preview(0, "1");
    world.pass(7000);
    expect(await silent).toBeNull();
  });

  it("stay below what the server takes for a flood", async () => {
    greet();
    for (let n = 0; n < 100; n++) void connection.preview(0, String(n));
    expect(world.newest.sent.length).toBeLessThan(40);
    connection.act(0, "left", 0);
    expect(world.newest.sent.at(-1)).toMatchObject({ type: "act" });
  });
});

it("what is no message is ignored", () => {
  greet();
  world.newest.onmessage?.({ data: "{" });
  world.newest.onmessage?.({ data: new ArrayBuffer(2) });
  expect(heard.map((message) => message.type)).toEqual(["welcome", "frame"]);
});
