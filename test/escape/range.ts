import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer, type ListenOptions, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TRIES } from "./tries.ts";

const CANARY = "CANARY";
/** How long to wait for a sign of a process that outlives its call. */
const OUTLIVE_MS = 1500;

/** The place from which commands try to escape: a project, surrounded by everything that it must not reach. */
export interface Range {
  readonly project: string;
  readonly home: string;
  readonly temporary: string;
  readonly hidden: string;
  /** Descriptors that the process starting an agent leaves open, to become the agent's descriptors 8 and 9. */
  readonly descriptors: readonly [number, number];
  /** The command that runs all tries inside the project at once. */
  readonly command: string;
  /** Runs one try outside the sandbox; resolves with the ids of all that have escaped so far. */
  unconfined(id: string): Promise<readonly string[]>;
  /** The ids of the tries that escaped. */
  escaped(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Builds the place, with services and processes around it. */
export async function makeRange(): Promise<Range> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-escape-")));
  const mark = basename(base);
  // The segment's size distinguishes it from other programs' segments.
  const segment = randomInt(10_000, 1_000_000);
  const at = (...names: readonly string[]) => join(base, ...names);
  for (const name of [
    "project/tries",
    "project/results",
    "project/locked",
    "project/.claude",
    "outside",
    "home/.ssh",
    "hidden",
    "tmp",
  ])
    mkdirSync(at(name), { recursive: true });
  const files = {
    "project/mine.txt": "mine\n",
    "project/.claude/settings.json": "{}\n",
    "project/.env": `${CANARY}\n`,
    "hidden/key": `${CANARY}\n`,
    "outside/moved": "",
    "outside/inherited": "",
    "home/.bashrc": "",
    "home/.ssh/authorized_keys": "",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  for (const id of Object.keys(TRIES)) writeFileSync(at("outside", `kept-by-${id}`), "");
  await finished(spawn("git", ["init", "-q", at("project")], { stdio: "ignore" }));

  const heard: string[] = [];
  const service = await listen({ port: 0, host: "::" }, heard);
  const servers = [
    service,
    await listen({ path: at("service.sock") }, heard),
    await listen({ path: `\0${base}` }, heard),
  ];
  const datagrams = createSocket("udp4").on("message", (text) => void heard.push(text.toString()));
  datagrams.bind(0);
  await once(datagrams, "listening");
  const [victim, prey1, prey2] = [1, 2, 3].map(() =>
    spawn("sleep", ["600"], { env: { VICTIM_SECRET: CANARY }, stdio: "ignore", detached: true }),
  ) as [ChildProcess, ChildProcess, ChildProcess];
  const descriptors = [openSync(at("outside"), "r"), openSync(at("outside/inherited"), "a")] as const;

  const variables = {
    OUT: at("outside"),
    HOME_OUTSIDE: at("home"),
    SECRET: at("project/.env"),
    HIDDEN: at("hidden"),
    SOCKET: at("service.sock"),
    ABSTRACT: base,
    PORT: (service.address() as AddressInfo).port,
    UDP_PORT: datagrams.address().port,
    ADDRESS: ownAddress(),
    VICTIM: victim.pid,
    PREY_1: prey1.pid,
    PREY_2: prey2.pid,
    NODE: process.execPath,
    MARK: mark,
    SEGMENT: segment,
  };
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  for (const [id, { script }] of Object.entries(TRIES))
    writeFileSync(at("project/tries", `${id}.sh`), `${exported.join("")}export ID='${id}'\n${script}\n`);

  const signsOfEscape = () => {
    const guarded = [
      ".git/hooks/pre-commit",
      ".git/hooks/post-merge",
      ".git/config",
      ".mcp.json",
      "locked/file",
    ]
      .concat([".claude/settings.json", ".claude/settings.local.json", ".claude/agents/x.md"])
      .map((name) => at("project", name))
      .concat([at("home/.bashrc"), at("home/.ssh/authorized_keys"), at("outside/inherited")]);
    const written = [...heard, ...guarded.map(textOf)].join("\n");
    const signs = (id: string) => [
      existsSync(at("outside", id)),
      existsSync(at("home", id)),
      existsSync(`/tmp/${mark}-${id}`),
      existsSync(`/dev/shm/${mark}-${id}`),
      existsSync(at("project", `outlived-${id}`)),
      new RegExp(`${id}(?![\\w-])`).test(written),
      textOf(at("project/results", id)).includes(CANARY),
      id === "process-signal" && prey1.signalCode !== null,
      id === "process-signal-group" && prey2.signalCode !== null,
      id === "process-shared-memory" && segments(segment).length > 0,
    ];
    return Object.keys(TRIES).filter((id) => signs(id).some(Boolean));
  };
  return {
    project: at("project"),
    home: at("home"),
    temporary: at("tmp"),
    hidden: at("hidden"),
    descriptors,
    command: `for t in tries/*.sh; do n=\${t#tries/}; timeout -k 1 10 bash "$t" > "results/\${n%.sh}" 2>&1 & done; wait`,
    async unconfined(id) {
      const output = openSync(at("project/results", id), "w");
      const stdio = ["ignore" as const, output, output, ...Array(5).fill("ignore"), ...descriptors];
      const env = { ...process.env, HOME: at("home") };
      const child = spawn("timeout", ["10", "bash", `tries/${id}.sh`], { cwd: at("project"), stdio, env });
      await finished(child);
      closeSync(output);
      return signsOfEscape();
    },
    async escaped() {
      writeFileSync(at("project/go"), "");
      await delay(OUTLIVE_MS);
      return signsOfEscape();
    },
    async close() {
      for (const server of servers) server.close();
      datagrams.close();
      for (const child of [victim, prey1, prey2]) child.kill("SIGKILL");
      for (const descriptor of descriptors) closeSync(descriptor);
      for (const id of segments(segment)) await finished(spawn("ipcrm", ["-m", id], { stdio: "ignore" }));
      for (const id of Object.keys(TRIES))
        for (const folder of ["/tmp", "/dev/shm"]) rmSync(`${folder}/${mark}-${id}`, { force: true });
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function listen(options: ListenOptions, heard: string[]): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (text) => {
      heard.push(text.toString());
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${CANARY.length}\r\n\r\n${CANARY}`);
    });
  });
  server.listen(options);
  await once(server, "listening");
  return server;
}

/** An address of this machine other than those of the loopback interface, if it has one. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.2";
}

const finished = (child: ChildProcess) =>
  new Promise<void>((resolve) => child.once("error", () => resolve()).once("exit", () => resolve()));

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The shared memory segments that a try has created. */
function segments(bytes: number): readonly string[] {
  const rows = textOf("/proc/sysvipc/shm").trim().split("\n").slice(1);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .flatMap(([, id = "", , size]) => (Number(size) === bytes ? [id] : []));
}
