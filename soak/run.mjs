import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { alone, shared } from "./loads.mjs";
import { plot } from "./plot.mjs";
import { isGood, page, progress } from "./report.mjs";
import { soak } from "./soak.mjs";
import { missingPrograms, SHELLS, tryCommands } from "./try-commands.mjs";

const HELP = `Runs a daemon under load for a while: 50 sessions, 20 clients that come and go, agents that are killed at random, prompts, questions,
large replies. Then checks whether anything was lost and whether memory and open files have grown. Afterwards it checks that shell commands
which the agent considers read-only really are (npm run soak:commands does only that). If all checks pass, the randomized tests follow,
with several times as many trials as in npm test (npm run soak:random does only that).

  npm run soak                         20 minutes
  npm run soak -- --minutes 2          this many minutes
  npm run soak -- --seed 7             repeats the same random choices
  npm run soak -- --sessions 500       this many sessions of our own agent, in shared processes; without the commands
  npm run soak -- --commands 5000      this many commands in each shell (default: 1000; 0 for none)
  npm run soak -- --out some/folder    the folder for the report instead of docs/ (soak.md and soak.svg; soak-shared with --sessions)

Ctrl-C ends the load early, and the report is still written. Needs Linux; the commands need bwrap, strace, git, bash and zsh. Exit codes: 0 if
nothing was lost, grown or changed, 1 otherwise, 2 for a usage error, 72 if a program is missing.`;

const DOCS = fileURLToPath(new URL("../docs", import.meta.url));
const SESSIONS = 50;
const CLIENTS = 20;
const TELL_EVERY = 10;

const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const isShared = values.sessions !== undefined;
const { minutes, seed, count, sessions } = {
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  count: Number(values.commands ?? (isShared ? 0 : 1000)),
  sessions: Number(values.sessions ?? SESSIONS),
};
if (!(minutes > 0) || !Number.isInteger(seed) || !(count >= 0) || !Number.isInteger(sessions) || sessions < 1)
  fail("--minutes, --seed, --sessions and --commands need a number");
const sizes = { sessions, clients: CLIENTS };
const missing = count > 0 && missingPrograms(SHELLS);
if (missing) {
  process.stderr.write(`${missing}\nOr skip the commands with --commands 0\n`);
  process.exit(72);
}

const over = new AbortController();
process.once("SIGINT", () => over.abort());
const tell = {
  phase: (text) => process.stderr.write(`${text}\n`),
  progress: (samples) => {
    if (samples.length % TELL_EVERY === 0) process.stderr.write(progress(samples, minutes));
  },
};
const date = new Date().toISOString();
const result = await soak({ load: isShared ? shared : alone, minutes, seed, sizes, tell }, over.signal);
const commands = [];
for (const shell of count > 0 ? SHELLS : []) {
  if (over.signal.aborted) break;
  commands.push(await tryCommands({ count, seed, shell, tell: tell.phase, signal: over.signal }));
}
const run = {
  ...result,
  commands,
  date,
  wanted: minutes,
  minutes: result.samples.at(-1).seconds / 60,
  seed,
  sizes,
  name: isShared ? "soak-shared" : "soak",
};
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, `${run.name}.md`), page(run));
writeFileSync(
  join(values.out, `${run.name}.svg`),
  plot(run.samples, `A daemon under load, ${date.slice(0, 10)}`),
);
process.stdout.write(page(run));
process.exit(isGood(run) ? 0 : 1);

function readArguments() {
  const options = {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    sessions: { type: "string" },
    commands: { type: "string" },
    out: { type: "string", default: DOCS },
    help: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ options });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  process.stderr.write(`${message}\n\n${HELP}\n`);
  process.exit(2);
}
