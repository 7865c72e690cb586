import type { JsonObject } from "@agentwire/protocol";
import type { ToolUseBlock } from "@agentwire/protocol/messages";
import type { ModelMessage } from "../model/model.ts";
import type { SpentByModel } from "./cost-line.ts";

/** One message of the conversation on its way to the session file. */
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
  /** Appends a message after the last one. Lines are written whole and in order; a failed write is told once, never thrown. */
  append(message: TranscriptMessage): void;
  /** Appends a line that is not a message: a title, a summary boundary. */
  note(entry: JsonObject): void;
  /** Resolves when everything appended is on disk. */
  flush(): Promise<void>;
}

/** A message as the model gets it again. */
export interface LoadedMessage extends ModelMessage {
  /** Of its last line. */
  readonly uuid: string;
  /** Of all lines that it was stored as; none if it was made up on loading. */
  readonly uuids: readonly string[];
}

/** A conversation as it was when its process ended. */
export interface LoadedSession {
  readonly sessionId: string;
  readonly messages: readonly LoadedMessage[];
  /** uuids of all prompts that were answered, so that a repeated one is known. */
  readonly promptIds: ReadonlySet<string>;
  /** uuids of the prompts at its end that were not. */
  readonly unanswered: ReadonlySet<string>;
  readonly lastUuid: string | undefined;
  readonly title: string | undefined;
  /** How many tokens the conversation took in its last model call; undefined if it was not counted. */
  readonly contextTokens: number | undefined;
  /** The call at the end that a hook has put off: it is to run before anything else. */
  readonly deferredCall: ToolUseBlock | undefined;
  /** The system prompt that the conversation is to keep, if one was stored. */
  readonly systemPrompt: readonly string[] | undefined;
  /** The worktree that the conversation was in, as it was noted. */
  readonly worktree: JsonObject | undefined;
  /** The cost of the conversation, if it was recorded. */
  readonly spent: SpentByModel | undefined;
}

/** A message on its way to the transcript, before it has its time. */
export type Unstamped = Omit<TranscriptMessage, "timestamp">;
