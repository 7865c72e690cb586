import type { Prompt } from "../prompt.ts";
import type { Mirror } from "./mirror.ts";
import type { OpenedConversation } from "./open-conversation.ts";
import type { SubagentInfo } from "./subagent-info.ts";
import type { Transcript } from "./transcript.ts";

/** Where a session is kept: as files that the official programs read too, or in a database. */
export interface Store {
  /** Finds the conversation that the session continues with. */
  open(): Promise<OpenedConversation>;
  /** Begins or continues the transcript of the session, or of one of its subagents. */
  transcript(wanted: TranscriptRequest): Transcript;
  /** Leaves the conversation behind; returns the id under which the session continues. */
  renew(sessionId: string): string;
  /** What the folders of a session are called, whatever its id. */
  folderName(sessionId: string): string;
  readonly queue: PromptQueue;
}

/** Which transcript is meant, and who hears of it. */
export interface TranscriptRequest {
  readonly sessionId: string;
  /** The line that the next one follows: of a resumed session. */
  readonly lastUuid?: string;
  /** Makes it the transcript of a subagent of the session. */
  readonly subagent?: SubagentInfo;
  readonly mirror?: Mirror;
  /** Told once, with the error's code, when lines cannot be written. */
  onLost(code: string): void;
}

/** The prompts that a session has accepted and not answered. A transcript that gets one of them takes it out of the queue. */
export interface PromptQueue {
  /** What an earlier process left, in its order. */
  waiting(): readonly Prompt[];
  /** Whether a prompt of this name has entered the session's transcript, however long ago. */
  knows(uuid: string): boolean;
  /** Keeps a prompt; throws if it can't, for then it is not accepted. */
  keep(prompt: Prompt): void;
  /** Lets go of a prompt that enters no transcript: it was withdrawn, refused, or a command. */
  forget(uuid: string): void;
}

/** A queue that ends with its process. */
export const NO_QUEUE: PromptQueue = { waiting: () => [], knows: () => false, keep() {}, forget() {} };
