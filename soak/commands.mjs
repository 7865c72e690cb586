import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { run, snapshot } from "./caged-run.mjs";
import { randomFrom } from "./random.mjs";
import { makeCommand } from "./random-command.mjs";

const HELP = `Makes commands of the programs and options that the agent takes for read-only, and of what may turn them into something else. What the
agent would run unasked is run by bash as another user, in namespaces of its own, without a network, in a copy of a project. Fails if
a file changed, or if a program started that is not on the agent's list.

  npm run soak:commands                     2000 commands
  npm run soak:commands -- --count 100      so many
  npm run soak:commands -- --seed 7         the same commands again

Needs Linux with bwrap, strace and git. Exit: 0 nothing was found, 1 otherwise, 2 wrong usage.`;

const AGENT = fileURLToPath(new URL("../packages/agent/src/", import.meta.url));
/** What a shell, the tracer and git run for themselves. */
const OWN = new Set(["bash", "sh", "git", "find", "echo", "printf", "true", "false", "test", "["]);
const ENTRY = `
  export { createGate } from "${AGENT}permission/create-gate.ts";
  export { loadSettings } from "${AGENT}settings/load.ts";
  export { quietGit } from "${AGENT}permission/quiet-git.ts";
  export { READERS } from "${AGENT}shell/programs.ts";
`;
const { values } = readArguments();
if (values.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!(count > 0) || !Number.isInteger(seed)) fail("--count and --seed take a number");

const base = mkdtempSync(join(tmpdir(), "agentwire-commands-"));
try {
  const { createGate, loadSettings, quietGit, READERS } = await loadAgent();
  const project = makeProject();
  const gate = await openGate(createGate, loadSettings, project);
  const random = randomFrom(seed);
  let before = snapshot(project);
  const found = [];
  let ran = 0;
  for (let at = 0; at < count; at++) {
    const command = makeCommand(random, READERS);
    const verdict = await gate.unasked(command);
    if (!verdict) continue;
    ran++;
    const started = run(command, { base, project, environment: verdict.quietGit ? quietGit({}) : {} }).filter(
      (name) => !OWN.has(name) && !READERS.has(name),
    );
    if (started.length > 0) found.push(`${command}\n  started ${started.join(", ")}`);
    const after = snapshot(project);
    if (after !== before) {
      found.push(`${command}\n  changed a file`);
      rmSync(project, { recursive: true });
      makeProject();
      before = snapshot(project);
    }
  }
  process.stdout.write(
    `${count} commands (seed ${seed}), ${ran} of them run unasked, ${found.length} did more than read\n`,
  );
  for (const line of found) process.stdout.write(`${line}\n`);
  // Where nothing ran, nothing was tried.
  process.exitCode = found.length > 0 || ran === 0 ? 1 : 0;
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function loadAgent() {
  const outfile = join(base, "agent.mjs");
  await build({
    stdin: { contents: ENTRY, resolveDir: AGENT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return import(outfile);
}

function makeProject() {
  const project = join(base, "project");
  mkdirSync(join(project, "sub"), { recursive: true });
  for (const [name, text] of [
    ["a.txt", "a\nb\n"],
    ["sub/b.txt", "b\nc\n"],
    ["a b", "text\n"],
  ])
    writeFileSync(join(project, name), text);
  symlinkSync("a.txt", join(project, "link"));
  const template = join(base, "git");
  const git = (...args) =>
    execFileSync("git", ["-C", project, "-c", "user.name=x", "-c", "user.email=x@x", ...args], {
      stdio: "ignore",
    });
  try {
    cpSync(template, join(project, ".git"), { recursive: true, preserveTimestamps: true });
  } catch {
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    cpSync(join(project, ".git"), template, { recursive: true, preserveTimestamps: true });
  }
  return project;
}

async function openGate(createGate, loadSettings, project) {
  const home = join(base, "home");
  mkdirSync(home);
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const settings = await loadSettings({
    cwd: project,
    configDir: join(home, ".claude"),
    policyFolder: join(home, "etc"),
    home,
    userFile: join(home, ".claude.json"),
    trusted: [project],
  });
  let asked = 0;
  const gate = createGate({
    settings,
    cwd: project,
    home,
    allowBypass: false,
    allowedTools: [],
    disallowedTools: [],
    additionalDirectories: [],
    hasHost: true,
    prompts: "host",
    log,
    onModeChanged() {},
    ask: async () => {
      asked++;
      return { behavior: "deny", message: "no" };
    },
  });
  const workspace = { cwd: project, home, outputFolder: join(base, "output"), roots: [project] };
  const tool = {
    name: "Bash",
    description: "",
    inputSchema: { type: "object" },
    isReadOnly: () => false,
    describe() {},
    run() {},
  };
  return {
    /** What the gate says if it allows a command without asking anybody. */
    async unasked(command) {
      const before = asked;
      const { signal } = new AbortController();
      const verdict = await gate.decide({ tool, input: { command }, callId: "toolu_1", signal, workspace });
      return verdict.behavior === "allow" && asked === before ? verdict : undefined;
    },
  };
}

function readArguments() {
  const options = {
    count: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
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
