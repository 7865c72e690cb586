import { createReadStream } from "node:fs";
import {
  INTERRUPTED,
  isBoundary as isBoundaryLine,
  isLinked,
  type LinkedLine,
  MAX_LINE_BYTES,
  parentOf,
} from "@agentwire/local/transcript";
import {
  isJsonObject,
  type JsonObject,
  type Line,
  Malformed,
  parseLine,
  readLines,
} from "@agentwire/protocol";
import type { ContentBlock } from "@agentwire/protocol/messages";
import { asString } from "@agentwire/protocol/support";
import { sliceOver } from "../event-loop.ts";
import { COST_LINE, readCostLine, type SpentByModel } from "./cost-line.ts";
import { LEFT_OUT_LINE, type LeftOutNotes, readLeftOutLine } from "./left-out.ts";

const CHUNK_BYTES = 1024 * 1024;

/** The type of a line that names the call deferred to the next turn. */
export const DEFERRED_CALL_LINE = "deferred-tool-use";

/** The type of a line that holds the system prompt of the conversation from here on. */
export const PROMPT_LINE = "system-prompt-snapshot";

/** The type of a line with the worktree that the session is in. */
export const WORKTREE_LINE = "worktree-state";

/** A line of a session file that has its place in the conversation. */
export interface Entry {
  readonly uuid: string;
  readonly parentUuid: string | undefined;
  readonly type: string;
  /** The whole line. */
  readonly line: LinkedLine;
}

/**
 * The contents of a session file: every line of the conversation, in the order of the file, and the latest title, deferred call
 * and other state.
 */
export interface StoredSession {
  readonly entries: readonly Entry[];
  readonly title: string | undefined;
  readonly deferredCallId: string | undefined;
  readonly systemPrompt: readonly string[] | undefined;
  /** Its last worktree, as recorded. */
  readonly worktree: JsonObject | undefined;
  /** Its cost, as last recorded. */
  readonly spent: SpentByModel | undefined;
  /** The blocks that the provider has refused, with their replacements. */
  readonly leftOut: LeftOutNotes;
}

/** Collects the lines of a session from a file or database; skips torn and unknown lines and those of subagents. */
export class SessionLines {
  readonly #entries: Entry[] = [];
  #custom: string | undefined;
  #generated: string | undefined;
  #deferredCallId: string | undefined;
  #systemPrompt: readonly string[] | undefined;
  #worktree: JsonObject | undefined;
  #spent: SpentByModel | undefined;
  readonly #leftOut = new Map<string, ContentBlock>();

  add(text: Line): void {
    const line = parseLine(text);
    if (line instanceof Malformed) return;
    const entry = toEntry(line);
    if (entry) this.#entries.push(entry);
    // After a summary, the conversation has a new system prompt.
    if (entry && isBoundary(entry)) this.#systemPrompt = undefined;
    if (entry) return;
    if (line.type === "custom-title") this.#custom = nonEmpty(line.customTitle) ?? this.#custom;
    else if (line.type === "ai-title") this.#generated = nonEmpty(line.aiTitle) ?? this.#generated;
    else if (line.type === DEFERRED_CALL_LINE) this.#deferredCallId = nonEmpty(line.toolUseId);
    else if (line.type === WORKTREE_LINE)
      this.#worktree = isJsonObject(line.worktreeSession) ? line.worktreeSession : undefined;
    else if (line.type === COST_LINE) this.#spent = readCostLine(line) ?? this.#spent;
    else if (line.type === LEFT_OUT_LINE) readLeftOutLine(line, this.#leftOut);
    else if (line.type === PROMPT_LINE && Array.isArray(line.systemPrompt))
      this.#systemPrompt = line.systemPrompt.filter((piece) => typeof piece === "string");
  }

  get stored(): StoredSession {
    return {
      entries: this.#entries,
      title: this.#custom ?? this.#generated,
      deferredCallId: this.#deferredCallId,
      systemPrompt: this.#systemPrompt,
      worktree: this.#worktree,
      spent: this.#spent,
      leftOut: this.#leftOut,
    };
  }
}

/** Reads a session file. */
export async function readSession(path: string): Promise<StoredSession> {
  const session = new SessionLines();
  const input = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  for await (const lines of readLines(input, MAX_LINE_BYTES)) {
    for (const line of lines) {
      session.add(line);
      const others = sliceOver();
      if (others) await others;
    }
  }
  return session.stored;
}

/** The API's or the host's message in a line. */
export function messageOf(entry: Entry): JsonObject {
  return isJsonObject(entry.line.message) ? entry.line.message : {};
}

/** The content blocks of a line's message; none if its content is plain text. */
export function blocksOf(entry: Entry): readonly JsonObject[] {
  const { content } = messageOf(entry);
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** Whether a line has tool results. */
export const isToolResult = (entry: Entry): boolean =>
  entry.type === "user" && blocksOf(entry).some(({ type }) => type === "tool_result");

/** Whether a line is a prompt, not added by the agent or a tool. */
export function isPrompt(entry: Entry): boolean {
  if (queuedPrompt(entry) !== undefined) return true;
  return (
    entry.type === "user" &&
    entry.line.isMeta !== true &&
    entry.line.isCompactSummary !== true &&
    !isToolResult(entry)
  );
}

/** Whether a line says that the user has interrupted the turn. */
export function isInterruption(entry: Entry): boolean {
  const { content } = messageOf(entry);
  const text = typeof content === "string" ? content : blocksOf(entry)[0]?.text;
  return entry.type === "user" && typeof text === "string" && text.startsWith(INTERRUPTED);
}

/** The content of a prompt that the official CLI accepted during a turn. */
export function queuedPrompt(entry: Entry): unknown {
  const { attachment } = entry.line;
  if (entry.type !== "attachment" || !isJsonObject(attachment)) return undefined;
  return attachment.type === "queued_command" ? attachment.prompt : undefined;
}

/** Whether a line is a compaction boundary. */
export const isBoundary = ({ line }: Entry): boolean => isBoundaryLine(line);

/** A line with its place in the conversation; undefined if it has none. */
export function toEntry(line: JsonObject): Entry | undefined {
  if (!isLinked(line) || line.isSidechain === true) return undefined;
  return { uuid: line.uuid, type: line.type, parentUuid: parentOf(line), line };
}

/** A text, unless it is empty. */
const nonEmpty = (value: unknown) => asString(value) || undefined;
