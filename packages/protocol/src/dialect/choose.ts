import { placeInRange, type Version } from "../compatibility/version.ts";
import type { JsonObject } from "../json.ts";
import { AcpAgent } from "./acp/agent.ts";
import { AcpHost } from "./acp/host.ts";
import { claude } from "./claude.ts";
import { claudeV1 } from "./claude-v1.ts";
import { DartAgent } from "./dart/agent.ts";
import { DartHost } from "./dart/host.ts";
import type { Dialect, DialectName } from "./dialect.ts";
import { JsonRpcAgent } from "./jsonrpc/agent.ts";
import { JsonRpcHost } from "./jsonrpc/host.ts";
import { MiriadAgent } from "./miriad/agent.ts";
import { MiriadHost } from "./miriad/host.ts";
import { objectAt, objectsAt } from "./spelling.ts";

/** The Agent Client Protocol, version 1: editors control agents with it, and most other agents speak it. */
export const acp: Dialect = {
  name: "acp",
  unknown: "pass_on",
  forHost: () => new AcpHost(),
  forAgent: () => new AcpAgent(),
};

/** The wire of the Dart SDK: explicit session creation, callbacks instead of control requests, snake_case answers. */
export const dart: Dialect = {
  name: "dart",
  unknown: "log_and_skip",
  forHost: () => new DartHost(),
  forAgent: () => new DartAgent(),
};

/** The JSON-RPC envelope: `run`, `cancel` and `status` as JSON-RPC requests, the messages of a run as its responses. */
export const jsonrpc: Dialect = {
  name: "jsonrpc",
  unknown: "pass_on",
  forHost: () => new JsonRpcHost(),
  forAgent: () => new JsonRpcAgent(),
};

/** The wire of miriad-code: tool results as system messages, `control` lines, and a queue that reports its state. */
export const miriad: Dialect = {
  name: "miriad",
  unknown: "log_and_skip",
  forHost: () => new MiriadHost(),
  forAgent: () => new MiriadAgent(),
};

/** Every dialect by its name. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  claude,
  "claude-v1": claudeV1,
  miriad,
  jsonrpc,
  dart,
  acp,
};

/** The dialect with that name, if any. */
export function dialectByName(name: string): Dialect | undefined {
  return Object.hasOwn(DIALECTS, name) ? DIALECTS[name as DialectName] : undefined;
}

/**
 * The dialect that an agent of that version speaks. If no dialect covers the version, the newest, with
 * `tested` false.
 */
export function dialectForVersion(version: Version | undefined): {
  readonly dialect: Dialect;
  readonly tested: boolean;
} {
  const covering = Object.values(DIALECTS).find(
    ({ versions }) => version && versions && placeInRange(version, versions) === "inside",
  );
  return { dialect: covering ?? claude, tested: covering !== undefined };
}

/** The dialect of a host as far as its flags show it to the agent; undefined if they don't. */
export function dialectFromFlags(flags: readonly string[]): Dialect | undefined {
  const has = (name: string) => flags.some((flag) => flag === name || flag.startsWith(`${name}=`));
  if (has("--acp")) return acp;
  if (has("--stdio")) return miriad;
  return has("--cwd") ? dart : undefined;
}

/** The dialect of a host as far as a line shows it to the agent; undefined for a line that several dialects share. */
export function dialectOfHostLine(line: JsonObject): Dialect | undefined {
  if ("jsonrpc" in line) return isAcpMethod(line) ? acp : jsonrpc;
  switch (line.type) {
    case "control":
      return miriad;
    case "session.create":
    case "session.send":
    case "callback.response":
      return dart;
    case "control_request": {
      const request = objectAt(line, "request");
      if (request.subtype === "interrupt") return undefined;
      if (request.subtype !== "initialize") return claude;
      // Both start with initialize; only the Dart dialect spells these keys so.
      if ("system_prompt" in request || "mcp_servers" in request) return dart;
      return Object.keys(request).every((key) => SHARED_INITIALIZE_KEYS.has(key)) ? undefined : claude;
    }
    case "user":
      return "parent_tool_use_id" in line || "uuid" in line ? claude : undefined;
    default:
      return undefined;
  }
}

/** Keys of initialize that the Dart dialect and the official wire spell alike. */
const SHARED_INITIALIZE_KEYS: ReadonlySet<string> = new Set(["subtype", "agents", "hooks"]);

/** The dialect of an agent as far as a line shows it to the host; undefined for a line that several dialects share. */
export function dialectOfAgentLine(line: JsonObject): Dialect | undefined {
  if ("jsonrpc" in line)
    return isAcpMethod(line) || "protocolVersion" in objectAt(line, "result") ? acp : jsonrpc;
  switch (line.type) {
    case "session.created":
    case "callback.request":
    case "error":
      return dart;
    case "control_response":
      if ("request_id" in line) return dart;
      return "request_id" in objectAt(line, "response") ? claude : undefined;
    case "system":
      return dialectOfSystemLine(line);
    case "assistant":
      // The Dart dialect puts the model next to the message.
      if ("model" in line) return dart;
      return "uuid" in line && "id" in objectAt(line, "message") ? claude : undefined;
    default:
      return undefined;
  }
}

/** Only the Agent Client Protocol has a greeting with a version, and grouped methods. */
const isAcpMethod = (line: JsonObject) =>
  typeof line.method === "string" &&
  ((line.method === "initialize" && "protocolVersion" in objectAt(line, "params")) ||
    line.method.includes("/"));

const MIRIAD_SUBTYPES: ReadonlySet<unknown> = new Set([
  "tool_result",
  "queued",
  "injected",
  "interrupted",
  "consolidation",
  "error",
]);

function dialectOfSystemLine(line: JsonObject): Dialect | undefined {
  if (MIRIAD_SUBTYPES.has(line.subtype)) return miriad;
  if (line.subtype !== "init") return undefined;
  // Tools with schemas are the 1.x wire, tools with only a description the Dart dialect, plain names the
  // official agent.
  const tools = objectsAt(line, "tools");
  if (tools.length > 0) {
    // Our own agent sends everything it knows in both dialects.
    if ("model" in line && "mcp_servers" in line) return undefined;
    return "model" in line || tools.some((tool) => "input_schema" in tool) ? claudeV1 : dart;
  }
  if ("claude_code_version" in line || "uuid" in line) return claude;
  return "tools" in line ? claudeV1 : undefined;
}
