import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type ProcessGroups, signalGroup } from "@agentwire/local/process";
import { BadLine, isJsonObject, LineSplitter } from "@agentwire/protocol";
import type { Log } from "@agentwire/protocol/support";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { quoted } from "../../sandbox/command-line.ts";
import type { Inside } from "../../sandbox/sandbox.ts";
import { validMessage } from "./valid-message.ts";

/** How to start a server program. */
export interface StdioCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The sandbox to run in, if any. */
  readonly inside?: Inside | undefined;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const STDERR_KEPT_CHARS = 1_000;
/** How long a server may take to exit by itself, and again after SIGTERM. */
const GRACE_MS = 500;

/**
 * The transport to a server that is a child process. The SDK's own transport signals only the child; servers are often started
 * through a launcher such as npx, so here the child leads a process group, all of which is ended.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly #command: StdioCommand;
  readonly #groups: ProcessGroups;
  readonly #log: Log;
  #child: ChildProcessWithoutNullStreams | undefined;
  #gone: Promise<void> = Promise.resolve();
  /** The requests without an answer yet. */
  readonly #open = new Set<string | number>();
  #stderr = "";
  /** Why the process ended, once it has. */
  endReason: string | undefined;

  constructor(command: StdioCommand, groups: ProcessGroups, log: Log) {
    this.#command = command;
    this.#groups = groups;
    this.#log = log;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, inside } = this.#command;
    const entered = await inside?.sandbox.enter({
      roots: inside.roots,
      shell: "bash",
      script: 'eval "exec $1"',
      command: [command, ...args].map(quoted).join(" "),
    });
    this.#groups.prepare();
    const options = { cwd, env: { ...env, ...entered?.env }, stdio: "pipe", detached: true } as const;
    const child = entered ? spawn("sh", ["-c", entered.script], options) : spawn(command, [...args], options);
    if (entered) child.once("error", entered.leave).once("exit", entered.leave);
    if (child.pid !== undefined) this.#groups.add(child.pid);
    this.#child = child;
    this.#gone = new Promise((resolve) => this.#watchEnd(child, resolve));
    const lines = new LineSplitter(MAX_LINE_BYTES);
    child.stdout.on("data", (chunk: Buffer) => {
      for (const line of lines.push(chunk)) this.#read(line);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT_CHARS);
      this.#log.debug("an MCP server wrote to stderr", { command, text: text.slice(0, STDERR_KEPT_CHARS) });
    });
    // The exit of the process is a better explanation than a broken pipe.
    child.stdin.on("error", () => {});
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#child || this.endReason !== undefined) {
        reject(new Error(this.endReason ?? "the server's process was not started"));
        return;
      }
      if ("method" in message && "id" in message) this.#open.add(message.id);
      this.#child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.stdin.end();
    const term = setTimeout(() => signalGroup(child.pid, "SIGTERM"), GRACE_MS);
    const kill = setTimeout(() => signalGroup(child.pid, "SIGKILL"), 2 * GRACE_MS);
    await this.#gone;
    clearTimeout(term);
    clearTimeout(kill);
  }

  #read(line: string | BadLine): void {
    if (line instanceof BadLine) {
      this.#failOpen(`the server wrote a line of ${line.bytes} bytes that can't be read (${line.reason})`);
      return;
    }
    const message = parse(line);
    if (message && !("method" in message) && message.id !== undefined) this.#open.delete(message.id);
    if (message) this.onmessage?.(message);
    else this.#log.debug("an MCP server wrote a line that is not a message", { line: line.slice(0, 200) });
  }

  /** The request that was answered can't be identified, and its caller would wait for hours. */
  #failOpen(reason: string): void {
    this.#log.warn("an MCP server wrote a line that can't be read", { reason });
    for (const id of this.#open)
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32603, message: reason } });
    this.#open.clear();
  }

  #watchEnd(child: ChildProcessWithoutNullStreams, resolve: () => void): void {
    const end = (reason: string): void => {
      if (this.endReason !== undefined) return;
      this.endReason = reason;
      child.stdout.destroy();
      child.stderr.destroy();
      resolve();
      this.onclose?.();
    };
    child.on("error", (error) => {
      // The event also reports a signal that could not be sent: only a child without a pid never ran.
      if (child.pid === undefined) end(error.message);
    });
    child.once("exit", (code, signal) => {
      signalGroup(child.pid, "SIGKILL");
      this.#groups.sweep();
      const how = signal === null ? `exited with code ${code}` : `was killed by ${signal}`;
      const reason = () => `the server's process ${how}${this.#stderr && `: ${this.#stderr.trim()}`}`;
      // A stray process outside the group may hold the pipes open forever.
      const timer = setTimeout(() => end(reason()), GRACE_MS);
      child.once("close", () => {
        clearTimeout(timer);
        end(reason());
      });
    });
  }
}

function parse(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? validMessage(value) : undefined;
  } catch {
    return undefined;
  }
}
