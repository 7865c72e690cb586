import type { ContentBlock } from "@agentwire/protocol/messages";
import type { Notice, Outlet } from "../host/outlet.ts";
import type { Prompt } from "../prompt.ts";
import type { LocalCommands } from "../slash/local-commands.ts";
import type { Records } from "../store/records.ts";
import type { StructuredOutput } from "../tools/session/structured-output.ts";
import type { Conversation, Services } from "../turn/conversation.ts";
import type { History } from "../turn/history.ts";
import type { Inbox } from "./inbox.ts";
import type { Intake } from "./intake.ts";
import type { PromptSuggestions } from "./prompt-suggestions.ts";
import type { PutOff } from "./put-off.ts";

/** What a session is assembled from. */
export interface SessionParts {
  readonly services: Services;
  readonly outlet: Outlet;
  readonly records: Records;
  readonly inbox: Inbox;
  readonly history: History;
  readonly intake: Intake;
  readonly commands: LocalCommands;
  /** What is in the files that prompts mention. */
  mentioned(prompts: readonly Prompt[], signal: AbortSignal): Promise<readonly ContentBlock[]>;
  readonly putOff: PutOff;
  readonly maxTurns: () => number | undefined;
  readonly structured: () => StructuredOutput | undefined;
  readonly suggestions: PromptSuggestions;
  /** The message that opens a turn, with the prompts that the host has named. */
  init(named: readonly string[]): Notice;
  nextCall: Conversation["nextCall"];
  tools: Conversation["tools"];
  /** Runs once, before the first turn. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when the tools that turns need are there. */
  ready(signal: AbortSignal): Promise<void>;
  makeRoom(signal: AbortSignal, isRefused: boolean): Promise<boolean>;
  /** A prompt begins: what changes from here on can be put back. */
  beginCheckpoint(promptUuid: string): void;
  /** Resolves when something that runs in the background has ended, or nothing does; or when the signal fires. */
  backgroundChange(signal: AbortSignal): Promise<void>;
  /** Called after each turn, when the host has its result. */
  turnEnded(): void;
}
