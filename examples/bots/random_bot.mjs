// A bot for every game of Turntile: any legal action. JavaScript for Node, no dependency.
//
//   turntile run tron -s 'cmd:node random_bot.mjs' -s greedy

import { createInterface } from "node:readline";

// Your part: look at turn.view, return the text of an action.
function choose(turn) {
  return turn.legal[Math.floor(Math.random() * turn.legal.length)];
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "id", name: "random in JavaScript" });
    say({ type: "ready" });
  } else if (message.type === "newgame") {
    say({ type: "ready" });
  } else if (message.type === "turn") {
    say({ type: "info", text: `${message.legal_count} actions are legal` });
    say({ type: "move", seq: message.seq, action: choose(message) });
  } else if (message.type === "quit") {
    process.exit(0);
  }
}
