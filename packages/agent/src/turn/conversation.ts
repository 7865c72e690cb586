import type { JsonObject } from "@agentwire/protocol";
import type { Config } from "../config/config.ts";
import type { NestedMemory } from "../context/nested-memory.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { HostExpectations } from "../host/expectations.ts";
import type { Notice } from "../host/outlet.ts";
import type { Model, ModelCall } from "../model/model.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Gate } from "../permission/gate.ts";
import type { Prompt } from "../prompt.ts";
import type { Unstamped } from "../store/transcript.ts";
import type { Tool } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { Costs } from "./costs.ts";
import type { Held } from "./held.ts";
import type { History } from "./history.ts";

/** What all conversations of a session share. */
export interface Services {
  readonly config: Config;
  /** The host's expectations of turns, as far as they are known yet. */
  readonly expectations: () => HostExpectations;
  readonly model: Model;
  readonly models: ModelState;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly workspace: Workspace;
  readonly costs: Costs;
  readonly held: Held;
  readonly nestedMemory: NestedMemory;
  /** The tool name that the model means by the name it wrote. */
  toolNamed(name: string): string;
}

/** Whether a session may still spend money. */
export function isWithinBudget({ config, costs }: Pick<Services, "config" | "costs">): boolean {
  const spent = costs.spentUsd;
  return config.maxBudgetUsd === undefined || spent === undefined || spent < config.maxBudgetUsd;
}

/** A model call without the conversation. */
export type NextCall = Omit<ModelCall, "messages">;

/** A subagent, as identified to hooks and the gate. */
export interface SubagentName {
  readonly id: string;
  readonly type: string;
  /** The path of its own transcript; undefined without persistence. */
  readonly transcriptPath: string | undefined;
  /** The permission mode that it asks for. */
  readonly mode: string | undefined;
}

/** Times of a turn that its result reports, by `performance.now()`. */
export interface TurnMarks {
  /** When the first request was sent. */
  asked?: number;
  /** When the first token arrived. */
  heard?: number;
}

/** A participant that talks with the model: the session itself, or one of its subagents. Turns run the same way for both. */
export interface Conversation {
  readonly services: Services;
  readonly history: History;
  /** Identifies the turn to hooks. */
  readonly turnId: string;
  /** The call that started the subagent; null for the session itself. */
  readonly parentToolUseId: string | null;
  readonly agent?: SubagentName;
  /** Whether the host wants `stream_event` messages. */
  readonly partialMessages: boolean;
  readonly maxTurns: number | undefined;
  readonly marks?: TurnMarks;
  nextCall(): NextCall;
  tools(): ReadonlyMap<string, Tool>;
  /** Sends a notice to the host. */
  tell(notice: Notice): void;
  /** A promise to wait for while the host reads more slowly than the model writes. */
  room?(): Promise<void> | undefined;
  /** Stores a message for a later process. */
  record(message: Unstamped): void;
  /** Stores a line that is not a message. */
  note?(line: JsonObject): void;
  /** Ends the turn as if the host had asked for it. */
  interrupt(): void;
  /** Prompts that have arrived and may join the turn before the next step. */
  takeJoining(): readonly Prompt[];
  /** Fields that link the first line and the first delta of a turn's reply to the prompts they answer; empty for later ones. */
  answered(first: "line" | "delta"): JsonObject;
}

/** The fields that identify a subagent to hooks. */
export function agentFacts({ agent, services: { workspace } }: Conversation): JsonObject {
  if (!agent) return {};
  const { worktree, cwd } = workspace;
  return { agent_id: agent.id, agent_type: agent.type, ...(worktree && { cwd }) };
}
