import type { JsonObject } from "@agentwire/protocol";
import { at } from "../json-path.ts";

/** Gives each id a name by the order in which ids appear, so that two transcripts with different ids can be compared. */
type Labels = (id: unknown) => string | null;

/** Starts counting at 1. */
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

/** Like `labels`, but keeps the ids that a script chose: they are the same everywhere, and better to read. */
function toolLabels(): Labels {
  const label = labels("tool");
  return (id) => {
    const chosen = typeof id === "string" && id.length <= LONGEST_CHOSEN && !id.startsWith(MADE_UP);
    return chosen ? id : label(id);
  };
}

/** What the reader of a transcript remembers from line to line. */
export interface Context {
  readonly session: Labels;
  readonly message: Labels;
  readonly tool: Labels;
  readonly task: Labels;
  /** The subtype of each request of the host, by its id. */
  readonly hostRequests: Map<string, string>;
  /** What each request of the agent is about, by its id. */
  readonly agentRequests: Map<string, string>;
  /** The prompts to which the host gave a uuid, as labels. */
  readonly promptUuids: Map<string, string>;
  /** The tool calls seen so far: nothing about a tool may come before its call. */
  readonly called: Set<string>;
  /** Lines that only inform: how many of each kind. */
  readonly notices: string[];
  /** What the agent reported about each prompt. */
  readonly lifecycles: Map<string, readonly string[]>;
  /** The kind of the last line of each task. */
  readonly lastOfTask: Map<string, string>;
  results: number;
  inits: number;
  /** The turn of the last sign of life of a tool. */
  progressTurn: number;
  /** The hooks that have shown a sign of life. */
  readonly progressHooks: Set<unknown>;
  /** The last text of the turn, and whether the agent wrote it in the place of the model. */
  lastText: { readonly text: string; readonly synthetic: boolean } | undefined;
}

/** The memory of a reader that has seen nothing yet. */
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

/** Takes note of a line of the host: its own lines are not compared, but the agent's refer to them. */
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

/** Tells whether a tool was called already; what names no tool is always in time. */
export function isCalled(id: unknown, context: Context): boolean {
  return typeof id !== "string" || context.called.has(id);
}

/** The session of a line, as a field. */
export function sessionOf(line: JsonObject, context: Context) {
  return { session: context.session(line.session_id) };
}
