import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Event, EventSchema, SessionStatus } from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { jsonLog } from "@agentwire/protocol/support";
import { fromBinary } from "@bufbuild/protobuf";
import { afterEach, beforeEach } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import type { Session } from "../../src/session/session.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

const TINY = fileURLToPath(new URL("../chaos/tiny-agent.mjs", import.meta.url));

/** The folder of the current test, where its agents store their conversations. */
export let folder: string;
let running: RunningDaemon | undefined;
/** Log entries of the current test's daemon. */
export let logged: { readonly level: string; readonly text: string; readonly fields?: JsonObject }[] = [];
/** Gives each test of a file a folder and, if it starts one, a daemon; modules outlive files here, so files call it. */
export function withTinyDaemon(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(PLACE_FOR_STORES, "agentwire-supervision-"));
    logged = [];
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    rmSync(folder, { recursive: true });
  });
}

/** Starts a daemon with the tiny agent; it is stopped after the test. */
export async function start(changes: Partial<DaemonConfig> = {}) {
  const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: folder, TINY_HOME: folder };
  const agents = [{ name: "tiny", path: TINY }];
  const quiet = { agents, spareProcesses: 0, trustedFolders: [folder] };
  const config = { ...defaultConfig(env, folder), ...quiet, ...changes };
  running = await startDaemon(
    config,
    jsonLog((line) => void logged.push(JSON.parse(line)), "debug"),
  );
  return running.daemon;
}

export const WISH = {
  title: "",
  cwd: "",
  agent: "",
  model: "",
  mode: "default",
  effort: "",
  idempotencyKey: null,
};
export const newSession = async (daemon: RunningDaemon["daemon"]) =>
  daemon.registry.create({ ...WISH, cwd: folder });

/** All events after a number, up to the first match. */
export async function upTo(session: Session, isLast: (event: Event) => boolean, after = 0): Promise<Event[]> {
  const subscriber = session.watch("test", after);
  const seen: Event[] = [];
  try {
    for (;;) {
      const delivery = await subscriber.pull();
      if (!delivery) throw new Error(`the stream has ended after ${seen.map(({ body }) => body.case)}`);
      for (const { body } of delivery.events) {
        const event = fromBinary(EventSchema, body);
        seen.push(event);
        if (isLast(event)) return seen;
      }
    }
  } finally {
    subscriber.close();
  }
}
export const status =
  (wanted: SessionStatus) =>
  ({ body }: Event) =>
    body.case === "statusChange" && body.value.status === wanted;
export const isIdle = status(SessionStatus.IDLE);
export const asked = ({ body }: Event) => body.case === "permissionAsked";
export const cases = (events: readonly Event[]) => events.map(({ body }) => body.case);
export const numbers = (events: readonly Event[]) => events.map(({ seq }) => Number(seq));
/** The running agents of this folder. */
export const agents = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isTiny = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(TINY);
        return isTiny && readFileSync(`/proc/${pid}/environ`, "utf8").includes(`TINY_HOME=${folder}\0`);
      } catch {
        return false;
      }
    })
    .map(Number);

/** An agent that is a shell script, of the newest version unless another is given. */
export function shellAgent(script: string, version = "2.1.325") {
  const path = join(folder, "shell-agent");
  const probe = `[ "$1" = --version ] && { echo "${version} (Claude Code)"; exit; }`;
  writeFileSync(path, `#!/bin/sh\n${probe}\n${script}\n`, { mode: 0o755 });
  return { name: "shell", path };
}

/** Shell code that writes a message. */
export const echo = (message: object) =>
  `echo '${JSON.stringify({ uuid: "u", session_id: "s", ...message })}'`;

/** The messages of agents at the beginning and at the end of a turn. */
export const INIT = {
  type: "system",
  subtype: "init",
  cwd: "/",
  model: "m",
  tools: ["Bash"],
  mcp_servers: [],
  permissionMode: "default",
};
export const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "",
  duration_ms: 1,
  num_turns: 1,
  total_cost_usd: 0,
  usage: {},
  modelUsage: {},
};

/** Shell code that reads the handshake and answers it. */
export const HANDSHAKE = `read -r line
id=$(echo "$line" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
echo '{"type":"control_response","response":{"subtype":"success","request_id":"'$id'","response":{}}}'`;
