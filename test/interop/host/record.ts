import { EventEmitter } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type * as host from "@agentwire/host";
import type { Options, Query, SDKUserMessage, SpawnedProcess, SpawnOptions } from "@agentwire/host";
import { playAgent } from "./play-agent.mjs";

/** The common part of both SDKs that is called here. */
export type Sdk = Pick<typeof host, "query" | "tool" | "createSdkMcpServer">;

/** What an SDK does to an agent: how it starts the agent, and what it writes to it. */
export interface Recorded {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly lines: readonly unknown[];
  /** The messages that the caller received, and the return values of its calls. */
  readonly given: unknown;
}

/** A call of an SDK, the same for both. */
export interface Call {
  readonly options?: (sdk: Sdk) => Options;
  readonly prompt?: string;
  /** If given, the prompt is a stream that ends when this has finished. */
  readonly drive?: (query: Query, sdk: Sdk) => Promise<unknown>;
  /** Runs the agent as a process, for calls that affect how it is started. */
  readonly spawned?: boolean;
}

const AGENT = fileURLToPath(new URL("recording-agent.mjs", import.meta.url));

/** Makes a call with an SDK and returns what the agent recorded. */
export async function record(sdk: Sdk, call: Call): Promise<Recorded> {
  const { options, prompt = "hi", drive, spawned } = call;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-record-")));
  const file = join(folder, "record.jsonl");
  try {
    const given = options?.(sdk) ?? {};
    let finish = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const query = sdk.query({
      prompt: drive ? until(prompt, done) : prompt,
      options: {
        pathToClaudeCodeExecutable: AGENT,
        cwd: folder,
        ...(!spawned && { spawnClaudeCodeProcess: (start: SpawnOptions) => playHere(start, file) }),
        ...given,
        extraArgs: { "record-to": file, ...given.extraArgs },
      },
    });
    const messages: unknown[] = [];
    let driven: Promise<unknown> | undefined;
    for await (const message of query) {
      messages.push(message);
      // Waits for the end of the turn, so that the order of the lines does not depend on timing.
      if (message.type === "result") driven = drive?.(query, sdk).finally(finish);
    }
    return { ...read(file, folder), given: [messages, await driven] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays the agent in this process, which both SDKs allow: a hundred processes would only take longer. */
function playHere({ args, env }: SpawnOptions, file: string): SpawnedProcess {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const events = new EventEmitter();
  const lines: string[] = [];
  const child = Object.assign(events, { stdin, stdout, killed: false, exitCode: null as number | null });
  const argv = args.slice(args.indexOf(AGENT) + 1);
  const note = (kind: string, value: unknown) => lines.push(JSON.stringify({ kind, value }));
  void playAgent({ argv, env, input: stdin, output: stdout, record: note }).then(() => {
    writeFileSync(file, lines.join("\n"));
    stdout.end();
    child.exitCode = 0;
    events.emit("exit", 0, null);
  });
  return Object.assign(child, {
    kill: () => {
      stdin.end();
      return true;
    },
  });
}

async function* until(text: string, done: Promise<void>): AsyncGenerator<SDKUserMessage, void> {
  yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null };
  await done;
}

/** Replaces paths and ids that differ between runs with placeholders. */
function read(file: string, folder: string): Omit<Recorded, "given"> {
  const ids = new Map<string, string>();
  const named = (key: string, value: unknown) => {
    if (key !== "request_id" || typeof value !== "string" || value.startsWith("ask_")) return value;
    if (!ids.has(value)) ids.set(value, `request ${ids.size}`);
    return ids.get(value);
  };
  const text = readFileSync(file, "utf8").replaceAll(folder, "<folder>");
  const all = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line, named));
  const of = (kind: string) => all.filter((entry) => entry.kind === kind).map(({ value }) => value);
  return { argv: of("argv")[0], env: of("env")[0], lines: of("line") };
}
