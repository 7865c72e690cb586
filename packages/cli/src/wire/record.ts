import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { extname, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { commandOf } from "@agentwire/host/agent";
import { Recorder } from "@agentwire/host/recorder";
import { LineSplitter } from "@agentwire/protocol";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { CliError } from "../errors.ts";

/** Hosts run these before they start an agent; they are not part of the conversation. */
const NO_TALK: ReadonlySet<string> = new Set(["--version", "-v", "--help", "-h"]);
const PASSED_SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs an agent in its own place and records all lines; resolves to the agent's exit code. */
export async function record(call: Call): Promise<number> {
  const { io, args } = call;
  const [program = "", ...rest] = args;
  const [command, ...given] = [...commandOf(program), ...rest];
  const isTalk = !rest.some((word) => NO_TALK.has(word));
  const file = isTalk ? freeName(resolve(io.cwd, textOption(call, "out") ?? "transcript.jsonl")) : undefined;
  const child = spawn(command ?? program, given, {
    cwd: io.cwd,
    env: { ...io.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  await started(child, program);
  // A transcript that can't be written must not end the conversation.
  const recorder =
    file === undefined
      ? undefined
      : new Recorder(file, (error) => void io.stderr.write(`agentwire record: ${error.message}\n`));
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of PASSED_SIGNALS) process.on(signal, pass);
  try {
    const { stdin, stdout } = child;
    if (stdin) void passOn(io.stdin, stdin, recorder, "in");
    const said = stdout ? passOn(stdout, io.stdout, recorder, "out") : undefined;
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    await said;
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of PASSED_SIGNALS) process.off(signal, pass);
    recorder?.close();
    if (file !== undefined) io.stderr.write(`(recorded to ${file})\n`);
  }
}

async function started(child: ChildProcess, program: string): Promise<void> {
  try {
    await once(child, "spawn");
  } catch (cause) {
    throw new CliError(`can't run ${program}: ${(cause as Error).message}`, {
      exitCode: EXIT_CODES.agentNotFound,
      hint: "give its path, or put it on PATH",
      cause,
    });
  }
}

/** Passes bytes on unchanged, at the pace of the reader, and records the lines in them. */
async function passOn(
  from: Readable,
  to: Writable,
  recorder: Recorder | undefined,
  dir: "in" | "out",
): Promise<void> {
  const splitter = new LineSplitter();
  from.on("data", (bytes: Buffer) => {
    for (const line of splitter.push(bytes)) recorder?.line(dir, line);
  });
  to.on("error", () => from.unpipe(to));
  from.pipe(to, { end: dir === "in" });
  await finished(from, { writable: false }).catch(() => {});
  for (const line of splitter.end()) recorder?.line(dir, line);
  if (dir === "in") recorder?.endOfInput();
}

/** A file name that is not in use, so that no transcript is overwritten. */
function freeName(path: string): string {
  const ending = extname(path);
  const stem = path.slice(0, path.length - ending.length);
  for (let number = 2, name = path; ; name = `${stem}-${number++}${ending}`)
    if (!existsSync(name)) return name;
}
