// Three daemons and a PostgreSQL server on this machine, without containers:
//   node examples/cluster.mjs            starts them and a session, and prints a link to the console; Ctrl-C stops everything
//   node examples/cluster.mjs kill 1     kills a node, as a crash would, while the first command is running
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findServer, startServer } from "../scripts/postgres-server.mjs";

const AGENTWIRE = fileURLToPath(new URL("../packages/cli/bin/agentwire", import.meta.url));
/** The file in which the first command records its nodes for the second one. */
const NOTE = join(tmpdir(), `agentwire-cluster-${userInfo().uid}.json`);
const [command, number = "1"] = process.argv.slice(2);

if (command === "kill") kill(number);
else await start();

function kill(which) {
  const pid = existsSync(NOTE) ? JSON.parse(readFileSync(NOTE, "utf8"))[which] : undefined;
  if (pid === undefined) {
    console.error(`node ${which} is not running: start the nodes with node examples/cluster.mjs`);
    process.exit(1);
  }
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
    console.log(`node-${which} has already exited`);
    return;
  }
  console.log(`node-${which} was killed; its sessions continue on the other nodes`);
}

async function start() {
  if (!findServer()) {
    console.error("PostgreSQL 15 or later is needed: apt-get install postgresql, or brew install postgresql");
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), "agentwire-cluster-"));
  const project = join(folder, "project");
  mkdirSync(project);
  const server = startServer(join(folder, "server"));
  const nodes = {};
  const end = () => {
    for (const node of Object.values(nodes)) node.kill("SIGTERM");
    server.end().catch(() => {});
    rmSync(NOTE, { force: true });
    setTimeout(() => {
      rmSync(folder, { recursive: true, force: true });
      process.exit();
    }, 2000);
  };
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    for (const name of ["1", "2", "3"]) nodes[name] = await startNode(folder, project, name, server.url);
  } catch (error) {
    console.error(error.message);
    return end();
  }
  writeFileSync(
    NOTE,
    JSON.stringify(Object.fromEntries(Object.entries(nodes).map(([name, { pid }]) => [name, pid]))),
  );
  const ask = (name, ...args) =>
    spawnSync(process.execPath, [AGENTWIRE, ...args], {
      encoding: "utf8",
      cwd: project,
      env: envOf(folder, name),
    });
  ask("1", "run", "--cwd", project, "hello");
  console.log(ask("2", "nodes").stdout);
  console.log(`The session belongs to node-1. Watch it at node-2, in the console:
  ${ask("2", "web").stdout.trim()}
or in a terminal:
  AGENTWIRE_HOME=${join(folder, "2")} node packages/cli/bin/agentwire attach
Then kill its node from another terminal, and go on typing:
  node examples/cluster.mjs kill 1
Or kill the node that you watch at; the console and the terminal go on at node-3:
  node examples/cluster.mjs kill 2
Ctrl-C ends everything.`);
}

function envOf(folder, name) {
  return { ...process.env, AGENTWIRE_HOME: join(folder, name) };
}

async function startNode(folder, project, name, storeUrl) {
  const state = join(folder, name);
  mkdirSync(state, { mode: 0o700 });
  const settings = {
    daemon: { port: 0, trusted_folders: [project] },
    store: { url: storeUrl },
    cluster: { name: `node-${name}`, shared_folders: [project] },
  };
  writeFileSync(join(state, "settings.json"), JSON.stringify(settings));
  const node = spawn(process.execPath, [AGENTWIRE, "daemon", "start", "--foreground", "--json"], {
    cwd: project,
    env: envOf(folder, name),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let report = "";
  node.stdout.on("data", (chunk) => {
    report += chunk;
  });
  let said = "";
  node.stderr.on("data", (chunk) => {
    said = (said + chunk).slice(-10_000);
  });
  for (let tries = 0; !report.includes("\n"); tries++) {
    if (node.exitCode !== null || tries > 600) throw new Error(`node-${name} did not start:\n${said}`);
    await delay(100);
  }
  return node;
}
