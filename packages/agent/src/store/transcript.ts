import type { JsonObject } from "@agentwire/protocol";
import type { ToolUseBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "../model/model.ts";
import type { SpentByModel } from "./cost-line.ts";

/** One message of the conversation, to be stored. */
export interface TranscriptMessage {
  readonly uuid: string;
  readonly type: "user" | "assistant";
  /** `message` as on the wire: role and content, for assistants the whole API message. */
  readonly message: JsonObject;
  readonly timestamp: string;
  /** More keys of the official layout: `toolUseResult`, `isMeta`, `isSidechain`, `requestId` … */
  readonly extra?: JsonObject;
}

/** A session file in the official layout: append-only JSON lines under `projects/<folder>/<session>.jsonl`. */
export interface Transcript {
  readonly sessionId: string;
  /** The file; undefined without persistence. */
  readonly path: string | undefined;
  /**
   * Appends a message after the last one. Lines are written whole and in order; a failed write is reported once, never thrown.
   */
  append(message: TranscriptMessage): void;
  /** Appends a line that is not a message: a title, a compaction boundary. */
  note(entry: JsonObject): void;
  /** Resolves when everything appended is on disk. */
  flush(): Promise<void>;
}

/** A message loaded for the model. */
export interface LoadedMessage extends ModelMessage {
  /** The uuid of its last line. */
  readonly uuid: string;
  /** The uuids of all its lines; empty if it was created on loading. */
  readonly uuids: readonly string[];
}

/** A conversation as it was when its process ended. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly messages: readonly LoadedMessage[];
  /** The uuids of all answered prompts, to recognize repeated ones. */
  readonly promptIds: ReadonlySet<string>;
  /** The uuids of the unanswered prompts at its end. */
  readonly unanswered: ReadonlySet<string>;
  readonly lastUuid: string | undefined;
  readonly title: string | undefined;
  /** The size of the conversation in tokens in its last model call; undefined if unknown. */
  readonly contextTokens: number | undefined;
  /** The call at its end that a hook has deferred: it runs before anything else. */
  readonly deferredCall: ToolUseBlock | undefined;
  /** The system prompt that the conversation keeps, if one was stored. */
  readonly systemPrompt: readonly string[] | undefined;
  /** The worktree that the conversation was in, as recorded. */
  readonly worktree: JsonObject | undefined;
  /** The cost of the conversation, if it was recorded. */
  readonly spent: SpentByModel | undefined;
}

/** A message to be stored, without its timestamp yet. */
export type Unstamped = Omit<TranscriptMessage, "timestamp">;
