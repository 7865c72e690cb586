// The minimum that a daemon without data loss must do with many agents: starts them, appends their output to a file, and passes it on once it is on disk.
import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";

const [, , logPath, agent] = process.argv;
const log = await open(logPath, "a");
let waiting = [];
let writing = false;

/** Lines that arrive during a write to disk are written together. */
async function store() {
  if (writing) return;
  writing = true;
  while (waiting.length > 0) {
    const all = waiting.join("");
    waiting = [];
    await log.appendFile(all);
    await log.datasync();
    process.stdout.write(all);
  }
  writing = false;
}

function start(prompt) {
  const { stdin, stdout } = spawn(agent, [], { stdio: ["pipe", "pipe", "inherit"] });
  stdin.on("error", () => {});
  stdin.write(`${JSON.stringify({ type: "user", message: { content: prompt } })}\n`);
  let rest = "";
  stdout.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const text = JSON.parse(line).event?.delta?.text;
      if (text !== undefined) waiting.push(`${text}\n`);
    }
    void store();
  });
  process.stdin.on("close", () => stdin.end());
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line !== "cpu") return start(line);
  const { user, system } = process.cpuUsage();
  process.stdout.write(`cpu ${(user + system) / 1e6}\n`);
});
