// Prints how large the built page's scripts and styles are when compressed, and fails over the budget.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET_KB = 120; // all scripts of the page together, gzipped
const folder = new URL("../../src/turntile/server/page/assets/", import.meta.url);

let names;
try {
  names = readdirSync(folder).sort();
} catch {
  console.error("The page is not built yet: run `npm run build` first.");
  process.exit(2);
}
let scripts = 0;
for (const name of names) {
  if (!/\.(js|css)$/.test(name)) continue;
  const size = gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length / 1000;
  if (name.endsWith(".js")) scripts += size;
  console.log(`${size.toFixed(1).padStart(8)} kB  ${name}`);
}
console.log(`${scripts.toFixed(1).padStart(8)} kB  all scripts (at most ${BUDGET_KB} kB)`);
if (scripts > BUDGET_KB) {
  console.error(`The scripts take ${scripts.toFixed(1)} kB, more than ${BUDGET_KB} kB.`);
  process.exit(1);
}
