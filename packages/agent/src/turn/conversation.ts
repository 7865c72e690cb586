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

/** What every conversation of a session shares. */
export interface Services {
  readonly config: Config;
  /** What the host expects of turns, as far as it is known by now. */
  readonly expectations: () => HostExpectations;
  readonly model: Model;
  readonly models: ModelState;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly workspace: Workspace;
  readonly costs: Costs;
  readonly held: Held;
  readonly nestedMemory: NestedMemory;
  /** The name of the tool that is meant by the one that the model wrote. */
  toolNamed(name: string): string;
}

/** Whether a session may still spend money. */
export function isWithinBudget({ config, costs }: Pick<Services, "config" | "costs">): boolean {
  const spent = costs.spentUsd;
  return config.maxBudgetUsd === undefined || spent === undefined || spent < config.maxBudgetUsd;
}

/** A model call without the conversation. */
export type NextCall = Omit<ModelCall, "messages">;

/** A subagent, as hooks and the gate know it. */
export interface SubagentName {
  readonly id: string;
  readonly type: string;
  /** Where its own transcript lies; undefined without persistence. */
  readonly transcriptPath: string | undefined;
  /** The permission mode that it asks for. */
  readonly mode: string | undefined;
}

/** Moments of a turn that its result tells of, by `performance.now()`. */
export interface TurnMarks {
  /** The first request went out. */
  asked?: number;
  /** The first token came. */
  heard?: number;
}

/** Who talks with the model: the session itself, or one of its subagents. A turn runs the same in both. */
export interface Conversation {
  readonly services: Services;
  readonly history: History;
  /** Names the turn for hooks. */
  readonly turnId: string;
  /** The call that started the subagent; null for the session itself. */
  readonly parentToolUseId: string | null;
  readonly agent?: SubagentName;
  /** Whether `stream_event` messages are wanted. */
  readonly partialMessages: boolean;
  readonly maxTurns: number | undefined;
  readonly marks?: TurnMarks;
  nextCall(): NextCall;
  tools(): ReadonlyMap<string, Tool>;
  /** Tells the host. */
  tell(notice: Notice): void;
  /** A promise while the host reads more slowly than the model speaks. */
  room?(): Promise<void> | undefined;
  /** Keeps a message for a later process. */
  record(message: Unstamped): void;
  /** Keeps a line that is not a message. */
  note?(line: JsonObject): void;
  /** Ends the turn as if the host had asked for it. */
  interrupt(): void;
  /** Prompts that came meanwhile and may join the turn before the next step. */
  takeJoining(): readonly Prompt[];
  /** Fields that tie the first line of a turn's reply, and its first delta, to the prompts they answer; none for later ones. */
  answered(first: "line" | "delta"): JsonObject;
}

/** The fields by which a hook learns that a subagent is at work. */
export function agentFacts({ agent, services: { workspace } }: Conversation): JsonObject {
  if (!agent) return {};
  const { worktree, cwd } = workspace;
  return { agent_id: agent.id, agent_type: agent.type, ...(worktree && { cwd }) };
}
