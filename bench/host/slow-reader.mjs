// Reads an agent's lines more slowly than they arrive, and prints as JSON how much memory that used early and late.
import { setTimeout } from "node:timers/promises";
import { query } from "@agentwire/host";

const [, , path, lines] = process.argv;
/** A reader that pauses this often, for this long, always lags behind. */
const REST_AFTER = 5000;
const REST_MS = 5;

const samples = [];
let count = 0;
for await (const message of query({
  prompt: "go",
  options: { pathToClaudeCodeExecutable: path, includePartialMessages: true },
})) {
  if (message.type === "result") break;
  if (++count % REST_AFTER > 0) continue;
  samples.push(process.memoryUsage.rss() / 1_048_576);
  await setTimeout(REST_MS);
}
if (count !== Number(lines)) throw new Error(`${count} of ${lines} messages`);

// Memory fluctuates with garbage collection, so only long intervals are comparable. The first tenth is warm-up.
const [tenth, half] = [Math.floor(samples.length / 10), Math.floor(samples.length / 2)];
console.log(JSON.stringify({ early: samples.slice(tenth, half), late: samples.slice(half) }));
