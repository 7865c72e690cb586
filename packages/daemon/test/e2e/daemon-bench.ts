import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  AdminService,
  type Event,
  HealthService,
  QuestionService,
  SessionService,
  SessionStatus,
} from "@agentwire/api";
import { type JsonObject, jsonLog } from "@agentwire/protocol";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import type { AgentConfig } from "../../src/agents.ts";
import { type DaemonConfig, defaultConfig } from "../../src/config.ts";
import { type RunningDaemon, startDaemon } from "../../src/daemon.ts";

const SCRIPTED_AGENT = fileURLToPath(
  new URL("../../../conformance/bin/agentwire-scripted-agent", import.meta.url),
);

/** A place for daemons of one test: a project, a home, a store. */
export interface Bench {
  readonly folder: string;
  readonly project: string;
  /** What daemons have logged: level and text. */
  readonly logged: readonly string[];
  /** Starts a daemon; it is stopped when the test has finished, unless the test has done so. */
  open(config?: Partial<DaemonConfig>): Promise<Talk>;
}

/** A daemon and its clients. */
export interface Talk {
  readonly running: RunningDaemon;
  readonly sessions: Client<typeof SessionService>;
  readonly questions: Client<typeof QuestionService>;
  readonly health: Client<typeof HealthService>;
  readonly admin: Client<typeof AdminService>;
  /** A new session in the project. */
  create(): Promise<string>;
  /** Sends a prompt and gives back what happens until the session rests; `on` may act on the way. */
  turn(sessionId: string, text: string, on?: (event: Event) => Promise<void> | undefined): Promise<Turn>;
}

type Bodies = Event["body"];

/** What happened in a turn. */
export interface Turn {
  readonly events: readonly Event[];
  readonly cases: readonly string[];
  /** What the events of one kind say. */
  of<C extends NonNullable<Bodies["case"]>>(name: C): readonly Extract<Bodies, { case: C }>["value"][];
}

/** Lays out a place; nothing of it is left when the test has finished. */
export function openBench(): Bench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-e2e-")));
  const project = join(folder, "project");
  mkdirSync(project);
  const logged: string[] = [];
  const log = jsonLog((line) => {
    const { level, text } = JSON.parse(line) as { readonly level: string; readonly text: string };
    logged.push(`${level}: ${text}`);
  }, "info");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    project,
    logged,
    async open(config = {}) {
      const env = { PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: join(folder, "state") };
      const wanted = { ...defaultConfig(env, project), port: 0, spareProcesses: 0, ...config };
      const running = await startDaemon(wanted, log);
      let isStopped = false;
      const stop = async () => {
        if (!isStopped) await running.stop();
        isStopped = true;
      };
      onTestFinished(stop);
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
    async create() {
      return (await sessions.createSession({ cwd: project })).session?.id ?? "";
    },
    async turn(sessionId, text, on) {
      const { seq } = await sessions.sendPrompt({ sessionId, text });
      const events: Event[] = [];
      for await (const page of sessions.watch({ sessionId, afterSeq: seq }))
        for (const event of page.events) {
          events.push(event);
          await on?.(event);
          if (isOver(event)) return turnOf(events);
        }
      return turnOf(events);
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

/** An agent that says it has a version and plays a script in every process. */
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

/** Our own agent, with a model that says what a script has for it. */
export function ownAgent({ folder }: Bench, steps: readonly JsonObject[]): AgentConfig {
  const script = join(folder, "model.json");
  writeFileSync(script, JSON.stringify({ steps }));
  return { name: "own", env: { AGENTWIRE_SCRIPT: script } };
}
