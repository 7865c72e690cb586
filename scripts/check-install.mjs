// Packs all packages, installs the tarballs in an empty folder, and does there what a new user does first:
//   node scripts/check-install.mjs              with this Node
//   node scripts/check-install.mjs 20 22 24 26  with the newest of each release line, installed from npm
import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The programs that check the manifests and the types of the published packages. */
const PUBLINT = "publint@0.3.25";
const TYPES = "@arethetypeswrong/cli@0.18.5";
/** The programs and the console have no exports. */
const WITHOUT_TYPES = /\/agentwire-(?:agent-|web-)?\d[^/]*$/;
const MOST_OUTPUT = 64 * 1024 * 1024;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "agentwire-install-"));
try {
  const tarballs = await timed("pack", pack);
  const checkers = await timed("install the checkers", () => installed("checkers", [PUBLINT, TYPES]));
  await timed("manifests", () => checkManifests(checkers));
  await timed("types", () => checkTypes(checkers, tarballs));
  for (const release of process.argv.length > 2 ? process.argv.slice(2) : [undefined])
    await firstUse(tarballs, release);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function pack() {
  const packed = join(folder, "packed");
  mkdirSync(packed);
  await tool("npm", ["pack", "--workspaces", "--ignore-scripts", "--pack-destination", packed], {
    cwd: ROOT,
  });
  return readdirSync(packed).map((name) => join(packed, name));
}

function manifests() {
  return readdirSync(join(ROOT, "packages")).map((name) => join(ROOT, "packages", name));
}

async function checkManifests(bin) {
  for (const path of manifests())
    await tool(join(bin, "publint"), ["run", path, "--strict", "--pack", "npm"]);
}

async function checkTypes(bin, tarballs) {
  for (const tarball of tarballs)
    if (!WITHOUT_TYPES.test(tarball)) await tool(join(bin, "attw"), [tarball, "--profile", "esm-only"]);
}

/** Installs packages in a separate folder; resolves with the folder of their programs. */
async function installed(name, packages) {
  const tools = join(folder, name);
  mkdirSync(tools);
  writeFileSync(join(tools, "package.json"), '{"private":true}');
  await tool("npm", ["install", "--prefix", tools, "--no-fund", "--no-audit", ...packages]);
  return join(tools, "node_modules", ".bin");
}

/** Installs everything for one release of Node, and uses it. */
async function firstUse(tarballs, release) {
  const home = join(folder, `home-${release ?? "current"}`);
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  const path = release === undefined ? process.env.PATH : await withNode(release);
  const env = { HOME: home, PATH: onlyNode(home, path), NO_COLOR: "1", AGENTWIRE_HOME: join(home, "state") };
  const global = join(home, "global");
  const { stdout } = await run("node", ["--version"], { env });
  const version = stdout.trim();
  // npm needs the settings of this machine; the programs get only a home folder.
  await timed(`${version}: npm install --global`, () =>
    tool("npm", ["install", "--global", "--prefix", global, "--no-fund", "--no-audit", ...tarballs], {
      env: { ...process.env, PATH: path },
    }),
  );
  const program = (name) => join(global, "bin", name);
  const use = async (name, args) => {
    const running = run(program(name), args, { cwd: project, env, maxBuffer: MOST_OUTPUT });
    // Otherwise a prompt waits for more input.
    running.child.stdin.end();
    return (await running).stdout;
  };
  try {
    await timed(`${version}: agentwire --version`, () => use("agentwire", ["--version"]));
    await timed(`${version}: the first prompt`, async () =>
      mustSay(await use("agentwire", ["run", "hello"]), "offline demo"),
    );
    await timed(`${version}: a tool call`, async () => {
      const prompt = "run `echo made > made.txt`";
      await use("agentwire", ["run", "--mode", "bypassPermissions", prompt]);
      mustSay(readFileSync(join(project, "made.txt"), "utf8"), "made");
    });
    await timed(`${version}: the console`, async () => {
      const { url } = JSON.parse(await use("agentwire", ["web", "--port", "0", "--json"]));
      mustSay(await (await fetch(url)).text(), "<title>");
    });
    await timed(`${version}: doctor`, () => use("agentwire", ["doctor"]));
    await timed(`${version}: the agent by itself`, async () =>
      mustSay(await use("agentwire-agent", ["-p", "hello"]), "offline demo"),
    );
    await timed(`${version}: the libraries`, () => importAll(join(global, "lib"), env));
  } finally {
    if (existsSync(program("agentwire")))
      spawnSync(program("agentwire"), ["daemon", "stop"], { env, stdio: "ignore" });
  }
}

/** A PATH as on a machine with only Node and a shell. */
function onlyNode(home, path) {
  const bin = join(home, "bin");
  mkdirSync(bin);
  for (const name of ["node", "npm", "npx", "sh", "bash", "env", "ps"]) {
    const found = path
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file));
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  return bin;
}

/** A PATH that starts with a release of Node. */
async function withNode(release) {
  const bin = await installed(`node-${release}`, [`node@${release}`]);
  return [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
}

/** Imports every entry point of every library. */
async function importAll(lib, env) {
  const doors = manifests().flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    return Object.entries(exports).flatMap(([door, { default: file }]) =>
      file === undefined ? [] : [name + door.slice(1)],
    );
  });
  const script = join(lib, "import-all.mjs");
  writeFileSync(script, doors.map((door) => `await import(${JSON.stringify(door)});\n`).join(""));
  await run("node", [script], { env });
}

/** Runs a program; prints its output if it fails. */
async function tool(program, args, options = {}) {
  try {
    return await run(program, args, { maxBuffer: MOST_OUTPUT, cwd: folder, ...options });
  } catch (error) {
    throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed:\n${error.stdout}\n${error.stderr}`);
  }
}

function mustSay(text, part) {
  if (!text.includes(part)) throw new Error(`expected ${JSON.stringify(part)} in: ${text.slice(0, 2000)}`);
}

/** Prints the duration of a step. */
async function timed(name, step) {
  const began = performance.now();
  const result = await step();
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}\n`);
  return result;
}
