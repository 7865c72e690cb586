import type { JsonObject } from "@agentwire/protocol";
import type { Config } from "./config.ts";
import type { Costs } from "./costs.ts";
import type { History } from "./history.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { Prompt } from "./inbox.ts";
import type { Model, ModelCall } from "./model/model.ts";
import type { Gate } from "./permission/gate.ts";
import type { TranscriptMessage } from "./store/transcript.ts";
import type { Tool } from "./tools/tool.ts";
import type { Notice, Workspace } from "./workspace.ts";

/** What every conversation of a session shares. */
export interface Services {
  readonly config: Config;
  readonly model: Model;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly workspace: Workspace;
  readonly costs: Costs;
}

/** Who talks with the model: the session itself, or one of its subagents. A turn runs the same in both. */
export interface Conversation {
  readonly services: Services;
  readonly history: History;
  /** The call that started the subagent; null for the session itself. */
  readonly parentToolUseId: string | null;
  readonly agentId?: string;
  /** Whether `stream_event` messages are wanted. */
  readonly partialMessages: boolean;
  readonly maxTurns: number | undefined;
  /** Everything of the next model call but the messages. */
  nextCall(): Omit<ModelCall, "messages">;
  tools(): ReadonlyMap<string, Tool>;
  /** Tells the host. */
  tell(notice: Notice): void;
  /** Keeps a message for a later process. */
  record(message: Omit<TranscriptMessage, "timestamp">): void;
  /** Prompts that came meanwhile and may join the turn before the next step. */
  takeJoining(): readonly Prompt[];
  /** Fields that tie a reply to the prompts it answers. */
  answered(): JsonObject;
}
