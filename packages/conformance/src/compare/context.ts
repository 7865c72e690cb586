import type { JsonObject } from "@agentwire/protocol";
import { at } from "../json-path.ts";

/** Names ids in order of appearance, so that two transcripts with different ids can be compared. */
type Labels = (id: unknown) => string | null;

/** Counts from 1. */
function labels(prefix: string): Labels {
  const known = new Map<string, string>();
  return (id) => {
    if (typeof id !== "string") return null;
    const label = known.get(id) ?? `${prefix}-${known.size + 1}`;
    known.set(id, label);
    return label;
  };
}

const LONGEST_CHOSEN = 24;
const MADE_UP = "toolu_fake";

/** Like `labels`, but keeps ids chosen by a script: they are the same everywhere, and more readable. */
function toolLabels(): Labels {
  const label = labels("tool");
  return (id) => {
    const chosen = typeof id === "string" && id.length <= LONGEST_CHOSEN && !id.startsWith(MADE_UP);
    return chosen ? id : label(id);
  };
}

/** What the reader of a transcript remembers between lines. */
export interface Context {
  readonly session: Labels;
  readonly message: Labels;
  readonly tool: Labels;
  readonly task: Labels;
  /** The subtype of each request of the host, by id. */
  readonly hostRequests: Map<string, string>;
  /** What each request of the agent is about, by id. */
  readonly agentRequests: Map<string, string>;
  /** The prompts that the host gave a uuid, as labels. */
  readonly promptUuids: Map<string, string>;
  /** The tool calls seen so far: nothing about a tool may come before its call. */
  readonly called: Set<string>;
  /** The kinds of lines that only inform, once per line. */
  readonly notices: string[];
  /** What the agent reported about each prompt. */
  readonly lifecycles: Map<string, readonly string[]>;
  /** The kind of the last line of each task. */
  readonly lastOfTask: Map<string, string>;
  results: number;
  inits: number;
  /** The turn of the last progress message of a tool. */
  progressTurn: number;
  /** The hooks that have reported progress. */
  readonly progressHooks: Set<unknown>;
  /** The last text of the turn, and whether the agent itself wrote it in place of the model. */
  lastText: { readonly text: string; readonly synthetic: boolean } | undefined;
}

/** The context of a reader that has seen nothing yet. */
export function newContext(): Context {
  return {
    session: labels("session"),
    message: labels("message"),
    tool: toolLabels(),
    task: labels("task"),
    hostRequests: new Map(),
    agentRequests: new Map(),
    promptUuids: new Map(),
    called: new Set(),
    notices: [],
    lifecycles: new Map(),
    lastOfTask: new Map(),
    results: 0,
    inits: 0,
    progressTurn: -1,
    progressHooks: new Set(),
    lastText: undefined,
  };
}

/** Records a line of the host: its lines are not compared, but the agent's lines refer to them. */
export function noteHostLine(line: unknown, context: Context): void {
  const uuid = at(line, "uuid");
  if (at(line, "type") === "user" && typeof uuid === "string" && !context.promptUuids.has(uuid)) {
    context.promptUuids.set(uuid, `prompt-${context.promptUuids.size + 1}`);
  }
  if (at(line, "type") === "control_request") {
    context.hostRequests.set(String(at(line, "request_id")), String(at(line, "request", "subtype")));
  }
}

/** The label of a prompt's uuid. */
export function promptLabel(uuid: unknown, context: Context): string {
  return context.promptUuids.get(String(uuid)) ?? "other";
}

/** Whether a tool has already been called; a line that names no tool is always in time. */
export function isCalled(id: unknown, context: Context): boolean {
  return typeof id !== "string" || context.called.has(id);
}

/** The session of a line, as a field. */
export function sessionOf(line: JsonObject, context: Context) {
  return { session: context.session(line.session_id) };
}
