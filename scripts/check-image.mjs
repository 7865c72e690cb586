// Builds the image of deploy/Containerfile and uses it, on a machine without a container engine: as root on Debian, after
// apt-get install buildah debootstrap.
//   node scripts/check-image.mjs
// The base image is built here under the same name: a minimal Debian with Node and npm from the npm registry. Containers run with buildah's
// chroot isolation, so the features of an engine are not tested: networking, limits, health checks, compose.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CONTAINERFILE = join(ROOT, "deploy/Containerfile");
const [, BASE, NODE, DEBIAN] = /^FROM (node:(\d+)-(\w+)-slim)$/m.exec(readFileSync(CONTAINERFILE, "utf8"));
/** The npm version that this release of Node contains. */
const NPM = "npm@10";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const ISOLATED = ["--isolation", "chroot", "--network", "host"];
const DAEMON_MS = 30_000;
const MUCH = { maxBuffer: 64 * 1024 * 1024 };

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "agentwire-image-"));
const storage = [
  ["--root", join(folder, "storage")],
  ["--runroot", join(folder, "run")],
  ["--storage-driver", "vfs"],
].flat();
try {
  await timed("the base: Debian, Node and npm", makeBase);
  await timed("the image", build);
  const { config } = JSON.parse(await buildah("inspect", "--type", "image", "agentwire")).Docker;
  await use(config);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function makeBase() {
  const container = await buildah("from", "scratch");
  const root = await buildah("mount", container);
  await run("debootstrap", ["--variant=minbase", "--include=ca-certificates", DEBIAN, root], MUCH);
  await run("chroot", [root, "useradd", "--uid", "1000", "--create-home", "--shell", "/bin/bash", "node"]);
  const packages = join(folder, "node");
  await run("npm", ["install", "--prefix", packages, "--no-fund", "--no-audit", `node@${NODE}`, NPM]);
  const local = join(root, "usr/local");
  mkdirSync(join(local, "lib/node_modules"), { recursive: true });
  cpSync(join(packages, "node_modules/node/bin/node"), join(local, "bin/node"));
  cpSync(join(packages, "node_modules/npm"), join(local, "lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
  const env = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];
  // The settings with which this machine reaches the npm registry.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    cpSync(certificates, join(root, CERTIFICATES));
    env.push(`NODE_EXTRA_CA_CERTS=${CERTIFICATES}`);
  }
  await buildah("config", ...env.flatMap((one) => ["--env", one]), container);
  await buildah("commit", "--quiet", "--rm", container, `docker.io/library/${BASE}`);
}

function build() {
  const ignored = ["--ignorefile", `${CONTAINERFILE}.dockerignore`];
  // Docker's format, because it supports health checks.
  const format = ["--format", "docker", "--layers=false", "--pull-never"];
  return buildah(
    "build",
    ...ISOLATED,
    ...format,
    ...ignored,
    "--file",
    CONTAINERFILE,
    "--tag",
    "agentwire",
    ROOT,
  );
}

/** Uses the image as a new user would, with its entry point, user, environment and health check. */
async function use({ Entrypoint, Cmd, Healthcheck, User, Volumes }) {
  const container = await buildah("from", "--pull-never", "agentwire");
  const inside = (...command) => buildah("run", ...ISOLATED, container, "--", ...command);
  const agentwire = (...args) => inside(...Entrypoint, ...args);
  await timed("the first prompt", async () =>
    mustSay(await agentwire("run", "--agent", "agentwire", "hello"), "offline demo"),
  );
  await timed("a tool call in /work", async () => {
    await agentwire("run", "--mode", "bypassPermissions", "run `git init -q && git status > status.txt`");
    mustSay(await inside("cat", "status.txt"), "No commits yet");
  });
  for (const volume of Object.keys(Volumes))
    mustSay(await inside("stat", "--format", "%a %U", volume), `700 ${User}`);
  await agentwire("daemon", "stop");

  const daemon = spawn(
    "buildah",
    [...storage, "run", ...ISOLATED, container, "--", ...Entrypoint, ...Cmd, "--port", "0"],
    { stdio: "ignore" },
  );
  const ended = once(daemon, "exit");
  try {
    const [, ...healthCheck] = Healthcheck.Test;
    await timed("the daemon, until its health check passes", () => eventually(() => inside(...healthCheck)));
    await timed("the console", async () => {
      const { url } = JSON.parse(await agentwire("web", "--json"));
      mustSay(await (await fetch(url)).text(), "<title>");
    });
    await timed("the end by SIGTERM", async () => {
      process.kill(
        descendants(daemon.pid).find((pid) => nameOf(pid) === Entrypoint[0]),
        "SIGTERM",
      );
      const [code, signal] = await Promise.race([ended, delay(DAEMON_MS, ["none", "none"], { ref: false })]);
      if (code !== 0) throw new Error(`the daemon ended with code ${code}, signal ${signal}`);
    });
  } finally {
    for (const pid of [daemon.pid, ...descendants(daemon.pid)].reverse()) kill(pid);
  }
}

/** All descendants of a process. */
function descendants(pid) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .flatMap((name) => [Number(name), ...descendants(Number(name))]);
}

function parentOf(pid) {
  return Number(/^PPid:\s+(\d+)$/m.exec(status(pid))?.[1]);
}

function nameOf(pid) {
  return /^Name:\s+(.+)$/m.exec(status(pid))?.[1];
}

function status(pid) {
  const file = `/proc/${pid}/status`;
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  } catch {
    return ""; // it has just ended
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended
  }
}

async function eventually(step) {
  for (const end = Date.now() + DAEMON_MS; ; await delay(200))
    try {
      return await step();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

/** Runs buildah on the images of this run; resolves with its output, and prints the output if it fails. */
async function buildah(...args) {
  try {
    const running = run("buildah", [...storage, ...args], MUCH);
    // Otherwise a prompt waits for more input.
    running.child.stdin.end();
    return (await running).stdout.trim();
  } catch (error) {
    throw new Error(`buildah ${args[0]} failed:\n${error.stdout}\n${error.stderr}`);
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
