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

/** What is known before there is a session. */
export interface SessionInputs {
  /** With what the settings put into the environment. */
  readonly config: Services["config"];
  readonly host: HostLink;
  /** Writes to stderr. */
  readonly complain: (text: string) => void;
  readonly settings: Settings;
  /** Where its conversation begins. */
  readonly opening: Extract<OpenedConversation, { kind: "open" }>;
  readonly model: LiveModel;
  /** The other providers that it asks. */
  readonly providers: KnownProviders;
  /** What is known from all sessions of the database, if there is one. */
  readonly memory: LongTermMemory | undefined;
  /** Whether the model can tell what is worth keeping there. */
  readonly consolidates: boolean;
  /** What the host sends waits here while a handshake is not answered yet. */
  readonly hostInput: HostInput;
}

/** What a session consists of: what every conversation in it shares (`Services`), what it was given, and its own parts. `assemble.ts` builds them in order. */
export interface SessionContext extends Services, SessionInputs {
  readonly config: Services["config"];
  readonly model: LiveModel;
  readonly log: Log;
  /** How it speaks. */
  readonly outlet: Outlet;
  /** What it leaves on disk. */
  readonly records: Records;
  readonly history: History;
  /** What the command line and the host ask for. */
  readonly hostOptions: HostOptions;
  /** What the user and the project have written down. */
  readonly files: ProjectFiles;
  readonly checkpoints: Checkpoints;
  /** Makes and removes worktrees, and which one the session itself is in. */
  readonly worktrees: Worktrees;
  readonly ownWorktree: OwnWorktree;
  readonly mcp: McpServers;
  readonly systemPrompt: KeptPrompt;
  /** The tools as they are now, by name. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  /** The slash commands that it answers by itself. */
  readonly commands: LocalCommands;
  readonly inbox: Inbox;
  readonly intake: Intake;
  readonly deferredCall: DeferredCall;
  readonly suggestions: PromptSuggestions;
  /** The answer that is wanted as data, if one is. */
  structured: StructuredOutput | undefined;
  /** What the agent that the session plays is given beside its prompt. */
  played: AgentContext;
  /** Whether the start of the session has begun; otherwise its end is not reported to hooks. */
  hasStarted: boolean;
  /** The hooks of settings files and plugins. */
  commandHooks(): readonly SettingsHook[];
  /** Parts of the project's files that are ignored because their folder is not trusted. */
  withheld(): Promise<readonly Withheld[]>;
  /** Resolves when something that runs in the background has ended, or nothing does; or when the signal fires. */
  backgroundChange(signal: AbortSignal): Promise<void>;
  /** Takes fresh tokens over; returns the names of the variables that were. */
  renewTokens(variables: { readonly [name: string]: string }): readonly string[];
}
