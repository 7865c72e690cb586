import type { Log } from "@agentwire/protocol/support";
import type { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { HostOptions } from "../context/host-options.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { SettingsHook } from "../hooks/settings-hooks.ts";
import type { HostLink } from "../host/host-link.ts";
import type { Outlet } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { LongTermMemory } from "../memory/long-term-memory.ts";
import type { KnownProviders } from "../model/known-providers.ts";
import type { LiveModel } from "../model/live-model.ts";
import type { Settings } from "../settings/settings.ts";
import type { Withheld } from "../settings/untrusted.ts";
import type { LocalCommands } from "../slash/local-commands.ts";
import type { OpenedConversation } from "../store/open-conversation.ts";
import type { Records } from "../store/records.ts";
import type { AgentContext } from "../subagent/agent-context.ts";
import type { StructuredOutput } from "../tools/session/structured-output.ts";
import type { Tool } from "../tools/tool.ts";
import type { Services } from "../turn/conversation.ts";
import type { History } from "../turn/history.ts";
import type { OwnWorktree } from "../worktree/own-worktree.ts";
import type { Worktrees } from "../worktree/worktrees.ts";
import type { DeferredCall } from "./deferred-call.ts";
import type { HostInput } from "./host-input.ts";
import type { Inbox } from "./inbox.ts";
import type { Intake } from "./intake.ts";
import type { KeptPrompt } from "./kept-prompt.ts";
import type { PromptSuggestions } from "./prompt-suggestions.ts";

/** What is known before the session exists. */
export interface SessionInputs {
  /** Including the environment variables from the settings. */
  readonly config: Services["config"];
  readonly host: HostLink;
  /** Writes to stderr. */
  readonly complain: (text: string) => void;
  readonly settings: Settings;
  /** The conversation it starts with. */
  readonly opening: Extract<OpenedConversation, { kind: "open" }>;
  readonly model: LiveModel;
  /** The other providers that it can use. */
  readonly providers: KnownProviders;
  /** The memory shared by all sessions of the database, if there is one. */
  readonly memory: LongTermMemory | undefined;
  /** Whether the model can consolidate that memory. */
  readonly consolidates: boolean;
  /** Holds back the host's input while a handshake is unanswered. */
  readonly hostInput: HostInput;
}

/**
 * Everything a session consists of: what its conversations share (`Services`), its inputs, and its own parts, built in order by
 * `build-context.ts`.
 */
export interface SessionContext extends Services, SessionInputs {
  readonly config: Services["config"];
  readonly model: LiveModel;
  readonly log: Log;
  /** Sends its messages to the host. */
  readonly outlet: Outlet;
  /** Writes its transcript. */
  readonly records: Records;
  readonly history: History;
  /** The options from the command line and the host. */
  readonly hostOptions: HostOptions;
  /** The files of the user and the project: memory, agents, commands and skills. */
  readonly files: ProjectFiles;
  readonly checkpoints: Checkpoints;
  /** Creates and removes worktrees. */
  readonly worktrees: Worktrees;
  readonly ownWorktree: OwnWorktree;
  readonly mcp: McpServers;
  readonly systemPrompt: KeptPrompt;
  /** The tools as they are now, by name. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The slash commands that it answers without the model. */
  readonly commands: LocalCommands;
  readonly inbox: Inbox;
  readonly intake: Intake;
  readonly deferredCall: DeferredCall;
  readonly suggestions: PromptSuggestions;
  /** The structured answer that the host wants, if any. */
  structured: StructuredOutput | undefined;
  /** What the session's own agent (`--agent`) gets besides its prompt. */
  played: AgentContext;
  /** Whether the session's start has begun; if not, hooks do not run at its end. */
  hasStarted: boolean;
  /** The hooks of settings files and plugins. */
  commandHooks(): readonly SettingsHook[];
  /** The project's files and settings that are ignored because their folder is not trusted. */
  withheld(): Promise<readonly Withheld[]>;
  /** Resolves when a background task has ended, when none is running, or when the signal fires. */
  backgroundChange(signal: AbortSignal): Promise<void>;
  /** Applies new tokens; returns the names of the updated variables. */
  renewTokens(variables: { readonly [name: string]: string }): readonly string[];
}
