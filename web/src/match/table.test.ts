import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Answered, Frame, GameInfo, Mark, MatchInfo, Picture, Scene } from "../lib/types";
import type { Connection } from "./connection";
import { Table } from "./table.svelte";

const game: GameInfo = { name: "g", title: "G", summary: "", players: [2, 2], hidden: true, draws: false, turn_ms: 0, has_preview: true, rules_version: 1, levels: [], options: [], background: "#000000" };
const info = { id: "x", game: "g", title: "G", status: "playing", seats: [0, 1].map((seat) => ({ seat, name: `P${seat}` })) } as unknown as MatchInfo;

function scene(rest: Partial<Scene> = {}): Scene {
  const choices = [
    { action: "go up", label: "up", key: "up", question: "Which way?", group: "", cell: [1, 0] as [number, number], item: "" },
    { action: "use disc left", label: "left", key: "left", question: "Which direction?", group: "use the disc", cell: null, item: "disc" },
    { action: "use disc right", label: "right", key: "right", question: "Which direction?", group: "use the disc", cell: null, item: "disc" },
  ];
  return { width: 3, height: 3, title: "t", ground: [], sprites: [], edges: [], marks: [], panels: [], choices, focus: null, ...rest };
}
const picture = (seat: number | null, rest: Partial<Picture> = {}): Picture => ({ seat, scene: scene(), next_seq: 1, ...rest });
const frame = (step: number, rest: Partial<Frame> = {}): Frame => ({
  type: "frame", number: step, step, pictures: [picture(0)], to_act: [0], waiting: [0], clocks: [], due_ms: null, outcome: null, covered: false, missed_before: 0, ...rest,
});

class Line {
  acts: [number, string, number][] = [];
  whys: object[] = [];
  pending = false;
  marks: Record<string, Mark[]> = {};
  act(seat: number, text: string, step: number): void {
    this.acts.push([seat, text, step]);
  }
  busy(): boolean {
    return this.pending;
  }
  preview(_seat: number, text: string): Promise<Answered> {
    return Promise.resolve({ type: "answer", id: 1, sentence: "", marks: this.marks[text] ?? [] });
  }
  why(_seat: number, about: object): Promise<Answered> {
    this.whys.push(about);
    return Promise.resolve({ type: "answer", id: 1, sentence: "there is a wall", marks: [] });
  }
}

let table: Table;
let line: Line;

beforeEach(async () => {
  table = new Table(() => Promise.resolve(game));
  line = new Line();
  table.connection = line as unknown as Connection;
  await welcome([0]);
});

async function welcome(seats: number[]): Promise<void> {
  table.heard({ type: "welcome", version: 1, turntile: "", match: info, seats, delay_s: 0, delay_steps: 0 });
  await Promise.resolve();
}

describe("a row of actions", () => {
  const step = (action: string, row = "like the scout"): Scene["choices"][number] => ({ action, label: `${row}: ${action}`, key: "1", question: "Build what?", group: "", cell: null, item: "" });
  const built = (number: number, ...choices: Scene["choices"]): Frame => frame(number, { pictures: [picture(0, { scene: scene({ choices }) })] });

  it("goes on by itself until it has ended", () => {
    table.heard(built(0, step("add engine")));
    table.press("1");
    table.heard(built(1, step("add gun"), step("add radar", "like the ranger")));
    table.heard(built(2, step("add radar", "like the ranger")));
    table.heard(built(3, step("add shield")));
    expect(line.acts.map(([, text]) => text)).toEqual(["add engine", "add gun"]);
  });

  it("of several at one screen goes on without handing it over, and each has his own", () => {
    const both = (number: number, mine: Scene["choices"], theirs: Scene["choices"], waiting = [0, 1]): Frame =>
      frame(number, { pictures: [picture(0, { scene: scene({ choices: mine }) }), picture(1, { scene: scene({ choices: theirs }) })], waiting, covered: true });
    const end = { ...step("deploy"), label: "end", key: "enter" };
    void welcome([0, 1]);
    table.heard(both(0, [step("add engine")], [step("add radar", "like the ranger")]));
    table.lift();
    table.press("1");
    table.heard(both(0, [], [step("add radar", "like the ranger")], [1]));
    expect(table.curtain).toBe(1);
    table.lift();
    expect(line.acts).toHaveLength(1);
    table.press("1");
    table.heard(both(1, [step("add gun"), end], [step("add gun", "like the ranger"), end]));
    expect(line.acts.map(([seat, text]) => `${seat} ${text}`)).toEqual(["0 add engine", "1 add radar", "0 add gun", "1 add gun"]);
    expect(table.curtain).toBeNull();
    table.heard(both(2, [end], [end]));
    expect(line.acts).toHaveLength(4);
    expect(table.eyes).toBe(1);
  });

  it("waits for the answer to its last step, and ends with a refusal or another action", () => {
    table.heard(built(0, step("add engine")));
    table.press("1");
    line.pending = true;
    table.heard(built(0, step("add engine")));
    line.pending = false;
    table.heard({ type: "refused", seat: 0, seq: 1, sentence: "there is no room", key: "" });
    table.heard(built(1, step("add gun")));
    expect(line.acts.map(([, text]) => text)).toEqual(["add engine"]);
  });
});

it("tells players by their names", () => {
  table.heard(frame(1));
  table.heard(frame(2, { pictures: [picture(0, { lines: ["seat 1 crashed"] })] }));
  expect(table.log.map((told) => told.text)).toEqual(["P1 crashed"]);
});

describe("acting", () => {
  it("a cell, a key and an item become actions of the present step", () => {
    table.heard(frame(3));
    table.point(1, 0);
    table.press("up");
    expect(line.acts).toEqual([[0, "go up", 3], [0, "go up", 3]]);
  });

  it("is not done twice while an action is on its way", () => {
    table.heard(frame(3));
    line.pending = true;
    table.point(1, 0);
    expect(line.acts).toEqual([]);
  });

  it("what is not possible is asked about, and the sentence shown", async () => {
    table.heard(frame(3));
    table.point(2, 2);
    await vi.waitFor(() => expect(table.refusal).toBe("there is a wall"));
    expect(line.whys).toEqual([{ cell: [2, 2] }]);
    expect(line.acts).toEqual([]);
  });

  it("a refusal is shown until the match goes on", () => {
    table.heard(frame(3));
    table.heard({ type: "refused", seat: 0, seq: 1, sentence: "not there", key: "" });
    expect(table.refusal).toBe("not there");
    table.heard(frame(4));
    expect(table.refusal).toBe("");
  });

  it("in real time a key means the step that comes, and the buttons stay when one has chosen", () => {
    table.heard(frame(3, { due_ms: 150 }));
    table.press("up");
    expect(line.acts).toEqual([[0, "go up", -1]]);
    table.heard(frame(3, { due_ms: 100, waiting: [], pictures: [picture(0, { scene: scene({ choices: [] }) })] }));
    expect(table.asking?.root.answers.length).toBeGreaterThan(0);
    table.press("up");
    expect(line.acts).toHaveLength(2);
  });
});

describe("what an item would do", () => {
  it("lights up on the board, and a click there is the answer", async () => {
    line.marks = {
      "use disc left": [{ x: 1, y: 1, kind: "path", why: "" }, { x: 0, y: 1, kind: "target", why: "" }],
      "use disc right": [{ x: 1, y: 1, kind: "path", why: "" }, { x: 2, y: 1, kind: "target", why: "" }],
    };
    table.heard(frame(3));
    table.give(table.asking!.pointAtItem("disc"));
    await vi.waitFor(() => expect(table.lit.size).toBe(2));
    expect(table.lit.get("1,1")).toBeUndefined();
    table.point(2, 1);
    expect(line.acts).toEqual([[0, "use disc right", 3]]);
    expect(table.asking?.deeper).toBe(false);
  });
});

describe("several people at one screen", () => {
  const both = (rest: Partial<Frame>): Frame => frame(1, { pictures: [picture(0, { lines: ["to 0"] }), picture(1, { lines: ["to 1"] })], ...rest });
  beforeEach(() => welcome([0, 1]));

  it("see one another's pictures where there is nothing to hide", () => {
    table.heard(both({ waiting: [1] }));
    expect([table.eyes, table.curtain]).toEqual([1, null]);
  });

  it("hand over behind a curtain where there is", () => {
    table.heard(both({ covered: true, waiting: [0, 1] }));
    expect(table.curtain).toBe(0);
    expect(table.mayAct).toBe(false);
    table.lift();
    expect([table.eyes, table.curtain, table.mayAct]).toEqual([0, null, true]);
    table.heard(both({ covered: true, waiting: [1] }));
    expect([table.eyes, table.curtain]).toEqual([0, 1]);
    expect(table.press("up")).toBe(false);
    table.lift();
    expect(table.log.map((one) => one.text)).toEqual(["to 1", "to 1"]);
  });

  it("need no curtain once it is over", () => {
    table.heard(both({ covered: true, waiting: [], outcome: { scores: [1, 0], places: [1, 2], reason: "r" } }));
    expect(table.curtain).toBeNull();
  });

  it("in real time look at one board, and nothing is covered", () => {
    table.heard(both({ due_ms: 200, covered: true, waiting: [0, 1] }));
    table.heard(both({ due_ms: 100, covered: true, waiting: [1] }));
    expect([table.eyes, table.curtain]).toEqual([0, null]);
    expect(table.besides.map((asking) => asking.seat)).toEqual([1]);
  });

  it("in real time share the keyboard", () => {
    table.heard(both({ due_ms: 200, waiting: [0, 1] }));
    table.press("w");
    table.press("up");
    expect(line.acts.map(([seat, text]) => [seat, text])).toEqual([[1, "go up"], [0, "go up"]]);
  });
});

describe("a long step", () => {
  const stages = [1, 2].map((n) => ({ caption: `moment ${n}`, scene: scene({ title: `s${n}`, choices: [] }) }));

  it("is shown moment by moment, then as it stands; it can be skipped", () => {
    vi.useFakeTimers();
    table.heard(frame(1));
    table.heard(frame(2, { pictures: [picture(0, { stages })] }));
    expect([table.caption, table.mayAct]).toEqual(["moment 1", false]);
    vi.advanceTimersByTime(1000);
    expect(table.caption).toBe("moment 2");
    vi.advanceTimersByTime(1000);
    expect([table.playing, table.scene?.title, table.mayAct]).toEqual([null, "t", true]);
    table.heard(frame(3, { pictures: [picture(0, { stages })] }));
    expect(table.press("escape")).toBe(true);
    expect(table.playing).toBeNull();
    vi.useRealTimers();
  });

  it("is not shown again when one comes back to a match", () => {
    table.heard(frame(2, { pictures: [picture(0, { stages })] }));
    expect(table.playing).toBeNull();
  });
});
