import { describe, expect, it } from "vitest";
import type { Choice, Hand, Parts, Scene } from "../lib/types";
import { Asking } from "./asking";

function choice(action: string, rest: Partial<Choice> = {}): Choice {
  return { action, label: action, key: "", question: "", group: "", cell: null, item: "", ...rest };
}

function scene(rest: Partial<Scene>): Scene {
  return { width: 5, height: 5, title: "", ground: [], sprites: [], edges: [], marks: [], panels: [], choices: [], focus: null, ...rest };
}

const racers = scene({
  choices: [
    choice("move u", { label: "move up", key: "up", question: "What do you do?", cell: [2, 1] }),
    choice("end", { key: "space", question: "What do you do?" }),
    choice("use disc up", { label: "up", key: "up", question: "In which direction?", group: "use the disc", item: "disc" }),
    choice("use disc left", { label: "left", key: "left", question: "In which direction?", group: "use the disc", item: "disc" }),
    choice("pick grenade", { label: "pick up the grenade", key: "g", item: "grenade" }),
    choice("use grenade", { label: "use a grenade here", key: "u", item: "grenade" }),
  ],
});
const start = Asking.about(racers, 0);

const cards = ["MOVE 1", "MOVE 2", "TURN L"].map((label, n) => ({ word: String(n + 1), label, detail: "" }));
const hand: Hand = { type: "hand", title: "Your hand", cards, slots: 2, seat: 0 };
const programming = Asking.about(scene({ panels: [hand], choices: [choice("1 2", { question: "Which program?" })] }), 0);

describe("questions", () => {
  it("a key answers the present question only", () => {
    expect(start.press("up")?.action).toBe("move u");
    const deeper = start.take(start.root.answers.find((answer) => answer.label === "use the disc")!).asking;
    expect(deeper.question.text).toBe("In which direction?");
    expect(deeper.press("up")?.action).toBe("use disc up");
  });

  it("Escape goes back to the question before, and no further", () => {
    const deeper = start.pointAtItem("disc")!.asking;
    expect(deeper.deeper).toBe(true);
    expect(deeper.press("escape")?.asking.question.text).toBe("What do you do?");
    expect(start.press("escape")).toBeNull();
  });

  it("answers without a key get spare ones, and no key twice", () => {
    const keys = start.root.answers.map((answer) => answer.key);
    expect(keys).toEqual(["up", "space", "1", "g", "u"]);
  });

  it("arrows mean directions also where their keys are letters", () => {
    const second = Asking.about(scene({ choices: [choice("up", { key: "w" }), choice("left", { key: "a" }), choice("bomb", { key: "left" })] }), 1);
    expect(second.press("up")?.action).toBe("up");
    expect(second.press("left")?.action).toBe("bomb");
  });

  it("an unknown key means nothing", () => {
    expect(start.press("x")).toBeNull();
  });

  it("a group of several words is a question behind a question", () => {
    const asking = Asking.about(scene({ choices: [choice("bazooka high 3", { label: "far", group: "bazooka / high" })] }), 0);
    const first = asking.press("1")!;
    expect(first.action).toBeNull();
    const second = first.asking.press("1")!;
    expect(second.asking.press("1")?.action).toBe("bazooka high 3");
  });

  it("an action that has variants is offered again as the first of them", () => {
    const asking = Asking.about(scene({ choices: [choice("fire", { label: "fire" }), choice("fire low", { label: "low", group: "fire" })] }), 0);
    const variants = asking.press("1")!.asking;
    expect(variants.question.answers.map((answer) => answer.choice?.action)).toEqual(["fire", "fire low"]);
    expect(variants.press("enter")?.action).toBe("fire");
  });
});

describe("pointing", () => {
  it("a cell with one action is that action", () => {
    expect(start.pointAt(2, 1)?.action).toBe("move u");
  });

  it("a cell without an action means nothing", () => {
    expect(start.pointAt(0, 0)).toBeNull();
  });

  it("a cell with several actions asks which", () => {
    const asking = Asking.about(scene({ choices: [choice("a", { cell: [1, 1] }), choice("b", { cell: [1, 1], group: "shoot" })] }), 0);
    const which = asking.pointAt(1, 1)!.asking;
    expect(which.question.answers.map((answer) => answer.label)).toEqual(["a", "shoot: b"]);
    expect(which.press("2")?.action).toBe("b");
  });

  it("cells of the first question still count inside a further one that has none there", () => {
    const deeper = start.pointAtItem("disc")!.asking;
    expect(deeper.pointAt(2, 1)?.action).toBe("move u");
    expect([...deeper.cells().keys()]).toEqual([]);
  });

  it("an item with one further question leads there; one with several uses asks which", () => {
    expect(start.pointAtItem("disc")!.asking.question.text).toBe("In which direction?");
    expect(start.pointAtItem("grenade")!.asking.question.answers.map((answer) => answer.label)).toEqual(["pick up the grenade", "use a grenade here"]);
    expect(start.pointAtItem("nothing")).toBeNull();
  });
});

describe("a hand of cards", () => {
  it("is filled by keys, in order, and confirmed", () => {
    const keys = [0, 1, 2].map((card) => programming.cardKey(card));
    const full = programming.press(keys[2]!)!.asking.press(keys[0]!)!.asking;
    expect(full.program).toBe("3 1");
    expect(full.press("enter")?.action).toBe("3 1");
  });

  it("is not confirmed before every slot is filled", () => {
    expect(programming.toggle(0).asking.confirm().action).toBeNull();
    expect(programming.toggle(0).asking.program).toBeNull();
  });

  it("gives cards back: a second click, Backspace, Escape", () => {
    const one = programming.toggle(0).asking;
    expect(one.toggle(0).asking.slots).toEqual([null, null]);
    expect(one.press("backspace")?.asking.slots).toEqual([null, null]);
    expect(one.press("escape")?.asking.slots).toEqual([null, null]);
  });

  it("swaps cards that are put on each other", () => {
    const full = programming.toggle(0).asking.toggle(1).asking;
    expect(full.put(0, 1).asking.slots).toEqual([1, 0]);
    expect(full.shift(0, 1).asking.slots).toEqual([1, 0]);
    expect(full.put(2, 0).asking.slots).toEqual([2, 1]);
  });

  it("ignores slots beyond the ends", () => {
    const one = programming.toggle(0).asking;
    expect(one.shift(0, -1).asking.slots).toEqual([0, null]);
    expect(one.put(1, 7).asking.slots).toEqual([0, null]);
  });

  it("previews what lies before the first empty slot", () => {
    expect(programming.put(1, 1).asking.begun).toBe("");
    expect(programming.put(1, 0).asking.begun).toBe("2");
  });

  it("keeps the cards when the same question comes in a newer picture, and forgets them for another", () => {
    const one = programming.toggle(2).asking;
    expect(Asking.again(one, scene({ ...one.scene, title: "later" }), 0).slots).toEqual([2, null]);
    const other = scene({ panels: [{ ...hand, cards: cards.slice(1) }] });
    expect(Asking.again(one, other, 0).slots).toEqual([null, null]);
    expect(Asking.again(one, one.scene, 1).slots).toEqual([]);
  });
});

describe("a list of parts", () => {
  const parts: Parts = {
    type: "parts", title: "parts", used: 1, budget: 5, seat: -1,
    parts: [
      { label: "engine1", cost: 1, action: "", installed: true, detail: "" },
      { label: "radar1", cost: 1, action: "add radar1", installed: false, detail: "" },
    ],
  };
  const building = Asking.about(scene({ panels: [parts], choices: [choice("deploy", { key: "enter" })] }), 0);

  it("installs by key what can be installed", () => {
    const part = building.installable[0]!;
    expect(building.press(building.partKey(part))?.action).toBe("add radar1");
    expect(building.partKey(parts.parts[0]!)).toBe("");
    expect(building.install(parts.parts[0]!).action).toBeNull();
  });

  it("Enter is the choice's own key, not the hand's", () => {
    expect(building.press("enter")?.action).toBe("deploy");
  });
});
