import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { isJsonObject, type JsonObject, LineSplitter, parseLine } from "@agentwire/protocol";
import { within } from "@agentwire/protocol/support";
import type { Io } from "../io.ts";

/** Third-party agents may take seconds to load. */
const GREETING_MS = 20_000;

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: 1,
    clientCapabilities: {},
    clientInfo: { name: "agentwire", version: "0.1.0" },
  },
};

/** What an agent reports when a client initializes it. */
export interface Greeting {
  /** Its features, in a few words for people. */
  readonly can: string;
  /** Its version, if it reports one. */
  readonly version: string | undefined;
}

/** Asks an agent for its version and features, without starting a session. */
export async function greeting(command: readonly string[], env: Io["env"]): Promise<Greeting> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: tmpdir(),
    env: { ...env },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  child.stdin.on("error", () => {});
  let answer: JsonObject | undefined;
  await within(GREETING_MS, async (late) => {
    const ended = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("close", () => resolve());
      late.addEventListener("abort", () => resolve());
    });
    const splitter = new LineSplitter();
    const answered = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) {
          const read = parseLine(line);
          if (!isJsonObject(read) || read.id !== 1) continue;
          answer = read;
          resolve();
        }
      });
    });
    child.stdin.write(`${JSON.stringify(HELLO)}\n`);
    await Promise.race([ended, answered]);
  });
  end(child.pid);
  const result = isJsonObject(answer?.result) ? answer.result : undefined;
  const info = isJsonObject(result?.agentInfo) ? result.agentInfo : {};
  return {
    can: answer ? described(result) : "does not answer protocol clients",
    version: typeof info.version === "string" && info.version !== "" ? info.version : undefined,
  };
}

/** Ends the whole process group, since some agents start other programs. */
function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}

function described(result: JsonObject | undefined): string {
  if (!result) return "rejects protocol clients";
  const can = isJsonObject(result.agentCapabilities) ? result.agentCapabilities : {};
  const has = (of: unknown, name: string) =>
    isJsonObject(of) && of[name] !== undefined && of[name] !== false && of[name] !== null;
  const { promptCapabilities: prompts, sessionCapabilities: sessions, mcpCapabilities: mcp } = can;
  const words = [
    ...(can.loadSession === true || has(sessions, "resume") ? ["resumes earlier sessions"] : []),
    ...(has(sessions, "list") ? ["lists sessions"] : []),
    ...(has(prompts, "image") ? ["accepts images"] : []),
    ...(has(mcp, "http") ? ["MCP over HTTP"] : []),
  ];
  const methods = Array.isArray(result.authMethods) ? result.authMethods.filter(isJsonObject) : [];
  const logins = methods.map(({ id }) => String(id)).join(", ");
  return `${words.length > 0 ? words.join(", ") : "offers no optional features"}${logins === "" ? "" : `; auth_method is one of ${logins}`}`;
}
