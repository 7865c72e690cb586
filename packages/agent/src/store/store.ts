import type { Prompt } from "../prompt.ts";
import type { Mirror } from "./mirror.ts";
import type { OpenedConversation } from "./open-conversation.ts";
import type { SubagentInfo } from "./subagent-info.ts";
import type { Transcript } from "./transcript.ts";

/** Where sessions are stored: in files that the official programs can read too, or in a database. */
export interface Store {
  /** Finds the conversation that the session continues. */
  open(): Promise<OpenedConversation>;
  /** Starts or continues the transcript of the session or of one of its subagents. */
  transcript(wanted: TranscriptRequest): Transcript;
  /** Ends the conversation; returns the id under which the session continues. */
  renew(sessionId: string): string;
  /** The folder name for a session id, which may be any text. */
  folderName(sessionId: string): string;
  readonly queue: PromptQueue;
}

/** Which transcript to open, and its callbacks. */
export interface TranscriptRequest {
  readonly sessionId: string;
  /** The parent of the next line, in a resumed session. */
  readonly lastUuid?: string;
  /** Makes it the transcript of a subagent of the session. */
  readonly subagent?: SubagentInfo;
  readonly mirror?: Mirror;
  /** Called once, with the error code, when lines can't be written. */
  onLost(code: string): void;
}

/** The prompts that a session has accepted but not answered. Adding one to the transcript removes it from the queue. */
export interface PromptQueue {
  /** The prompts left by an earlier process, in order. */
  waiting(): readonly Prompt[];
  /** Whether a prompt with this id was ever added to the session's transcript. */
  knows(uuid: string): boolean;
  /** Stores a prompt; throws if it can't, in which case the prompt is not accepted. */
  keep(prompt: Prompt): void;
  /** Removes a prompt that enters no transcript because it was withdrawn, refused, or a command. */
  forget(uuid: string): void;
}

/** A queue that ends with its process. */
export const NO_QUEUE: PromptQueue = { waiting: () => [], knows: () => false, keep() {}, forget() {} };
