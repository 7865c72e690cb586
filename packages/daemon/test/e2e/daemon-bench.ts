import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AdminService,
  type Event,
  HealthService,
  NodeService,
  QuestionService,
  RuleService,
  SessionService,
  SessionStatus,
  UsageService,
} from "@agentwire/api";
import type { JsonObject } from "@agentwire/protocol";
import { jsonLog } from "@agentwire/protocol/support";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { PLACE_FOR_STORES } from "../../../../test/place-for-stores.ts";
import type { AgentConfig } from "../../src/agents.ts";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/start.ts";

const SCRIPTED_AGENT = fileURLToPath(
  new URL("../../../conformance/bin/agentwire-scripted-agent", import.meta.url),
);

/** The surroundings of daemons in one test: a project, a home, a store. */
export interface Bench {
  readonly folder: string;
  readonly project: string;
  /** What daemons have logged: level and text. */
  readonly logged: readonly string[];
  /** The same entries, for one session. */
  readonly loggedOf: (sessionId: string) => readonly string[];
  /** Starts a daemon; it is stopped when the test finishes, unless the test stopped it. */
  open(config?: Partial<DaemonConfig>): Promise<Talk>;
}

/** A daemon and its clients. */
export interface Talk {
  readonly running: RunningDaemon;
  readonly sessions: Client<typeof SessionService>;
  readonly questions: Client<typeof QuestionService>;
  readonly health: Client<typeof HealthService>;
  readonly admin: Client<typeof AdminService>;
  readonly rules: Client<typeof RuleService>;
  readonly usage: Client<typeof UsageService>;
  readonly nodes: Client<typeof NodeService>;
  /** A new session in the project. */
  create(): Promise<string>;
  /** Sends a prompt and returns what happens until the session is idle; `on` may act in between. */
  turn(sessionId: string, text: string, on?: (event: Event) => Promise<void> | undefined): Promise<Turn>;
}

type Bodies = Event["body"];

/** What happened in a turn. */
export interface Turn {
  readonly events: readonly Event[];
  readonly cases: readonly string[];
  /** The bodies of the events of one kind. */
  of<C extends NonNullable<Bodies["case"]>>(name: C): readonly Extract<Bodies, { case: C }>["value"][];
}

/** Creates the folders; everything is removed when the test finishes. */
export function openBench(): Bench {
  const folder = realpathSync(mkdtempSync(join(PLACE_FOR_STORES, "agentwire-e2e-")));
  const project = join(folder, "project");
  mkdirSync(project);
  const entries: { readonly level: string; readonly text: string; readonly fields?: JsonObject }[] = [];
  const logged: string[] = [];
  const log = jsonLog((line) => {
    const entry = JSON.parse(line) as (typeof entries)[number];
    entries.push(entry);
    logged.push(`${entry.level}: ${entry.text}`);
  }, "info");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return {
    folder,
    project,
    logged,
    loggedOf: (sessionId) =>
      entries
        .filter(({ fields }) => fields?.session_id === sessionId)
        .map(({ level, text }) => `${level}: ${text}`),
    async open(config = {}) {
      const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
      // Where trust is not tested, no agent needs to inspect the folder before another one starts.
      const quiet = { port: 0, spareProcesses: 0, trustedFolders: [folder] };
      const wanted = { ...defaultConfig(env, project), ...quiet, ...config };
      const running = await startDaemon(wanted, log);
      let isStopped = false;
      const stop: RunningDaemon["stop"] = async (drainMs, hurry) => {
        if (isStopped) return;
        isStopped = true;
        await running.stop(drainMs, hurry);
      };
      onTestFinished(() => stop());
      return talkTo({ ...running, stop }, project);
    },
  };
}

function talkTo(running: RunningDaemon, project: string): Talk {
  const transport = createGrpcTransport({
    baseUrl: running.addresses[1] ?? "",
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${running.token}`);
        return next(request);
      },
    ],
  });
  const sessions = createClient(SessionService, transport);
  return {
    running,
    sessions,
    questions: createClient(QuestionService, transport),
    health: createClient(HealthService, transport),
    admin: createClient(AdminService, transport),
    rules: createClient(RuleService, transport),
    usage: createClient(UsageService, transport),
    nodes: createClient(NodeService, transport),
    async create() {
      return (await sessions.createSession({ cwd: project })).session?.id ?? "";
    },
    async turn(sessionId, text, on) {
      const { session } = await sessions.getSession({ sessionId });
      const leaving = new AbortController();
      const wanted = { sessionId, afterSeq: session?.lastSeq ?? 0n };
      const pages = sessions.watch(wanted, { signal: leaving.signal })[Symbol.asyncIterator]();
      const events: Event[] = [];
      try {
        // Connected before the prompt is sent: later, a finished reply would come without its deltas.
        for (let page = await pages.next(); !page.done && !page.value.caughtUp; ) page = await pages.next();
        const { seq } = await sessions.sendPrompt({ sessionId, text });
        for (let page = await pages.next(); !page.done; page = await pages.next())
          for (const event of page.value.events.filter((one) => one.seq > seq)) {
            events.push(event);
            await on?.(event);
            if (isOver(event)) return turnOf(events);
          }
        return turnOf(events);
      } finally {
        leaving.abort();
      }
    },
  };
}

const isOver = ({ body }: Event) =>
  body.case === "statusChange" &&
  (body.value.status === SessionStatus.IDLE || body.value.status === SessionStatus.FAILED);

function turnOf(events: readonly Event[]): Turn {
  return {
    events,
    cases: events.map(({ body }) => body.case ?? ""),
    of: (name) =>
      events.flatMap(({ body }) => (body.case === name ? [body.value] : [])) as ReturnType<
        Turn["of"]
      > as never,
  };
}

/** An agent that reports a version and plays a script in every process. */
export function scriptedAgent(
  { folder }: Bench,
  version: string,
  steps: readonly JsonObject[],
  name = "claude",
): AgentConfig {
  const path = join(folder, name);
  writeFileSync(`${path}.jsonl`, steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = --version ]; then echo '${version}'; exit; fi
AGENTWIRE_SCRIPT='${path}.jsonl' exec '${process.execPath}' '${SCRIPTED_AGENT}' "$@"
`,
    { mode: 0o755 },
  );
  return { name: "fake", path };
}

/** The built-in agent, with a model that follows a script. */
export function ownAgent({ folder }: Bench, steps: readonly JsonObject[]): AgentConfig {
  const script = join(folder, "model.json");
  writeFileSync(script, JSON.stringify({ steps }));
  return { name: "own", env: { AGENTWIRE_SCRIPT: script } };
}

/**
 * An agent whose prompts state their cost, as in "0.5": it reports totals that start from zero in each process. After "wait" a turn
 * ends when a file of that name appears in its folder; "die" ends the process.
 */
export function payingAgent({ folder }: Bench): AgentConfig {
  const path = join(folder, "paying");
  writeFileSync(path, `#!${process.execPath}\n${PAYING}`, { mode: 0o755 });
  return { name: "paying", path };
}

const PAYING = `
const { existsSync } = require("node:fs");
if (process.argv.includes("--version")) { console.log("2.1.325 (Claude Code)"); process.exit(); }
const say = (value) => process.stdout.write(JSON.stringify({ uuid: "u", session_id: "paid", ...value }) + "\\n");
let usd = 0;
let tokens = 0;
const end = () => say({ type: "result", subtype: "success", is_error: false, result: process.env.TRACEPARENT ?? "", duration_ms: 1,
  num_turns: 1, total_cost_usd: usd, usage: { input_tokens: 100, output_tokens: 0 },
  modelUsage: { dear: { inputTokens: tokens, outputTokens: 0, costUSD: usd } } });
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const said = JSON.parse(line);
  if (said.type === "control_request")
    say({ type: "control_response", response: { subtype: "success", request_id: said.request_id,
      response: { commands: [], models: [], account: {} } } });
  if (said.type !== "user") return;
  const text = said.message.content;
  if (text === "die") process.exit(1);
  say({ type: "system", subtype: "init", cwd: "/", model: "dear", tools: ["Bash"], mcp_servers: [], permissionMode: "default" });
  usd += Number(text.split(" ").at(-1)) || 0;
  tokens += 100;
  if (!text.startsWith("wait")) return end();
  const timer = setInterval(() => {
    if (!existsSync("wait")) return;
    clearInterval(timer);
    end();
  }, 20);
}).on("close", () => process.exit());
`;
