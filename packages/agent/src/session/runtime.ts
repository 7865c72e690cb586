import type { JsonObject } from "@agentwire/protocol";
import type { Checkpoints } from "../checkpoint/checkpoints.ts";
import type { Config } from "../config/config.ts";
import type { HostWishes } from "../context/host-wishes.ts";
import type { ProjectFiles } from "../context/project-files.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { SettingsHook } from "../hooks/settings-hooks.ts";
import type { HostLink } from "../host/host-link.ts";
import type { Outlet } from "../host/outlet.ts";
import type { McpServers } from "../mcp/servers.ts";
import type { ModelState } from "../model/model-state.ts";
import type { Gate } from "../permission/gate.ts";
import type { Settings } from "../settings/settings.ts";
import type { Withheld } from "../settings/untrusted.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { Arrivals } from "./arrivals.ts";
import type { ContextUsage } from "./context-report.ts";
import type { Session } from "./session.ts";

/** A whole agent, put together: what the control requests and the edge of the program reach. */
export interface Runtime {
  readonly config: Config;
  readonly host: HostLink;
  readonly outlet: Outlet;
  readonly session: Session;
  readonly settings: Settings;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly mcp: McpServers;
  readonly model: ModelState;
  readonly checkpoints: Checkpoints;
  readonly workspace: Workspace;
  readonly wishes: HostWishes;
  readonly files: ProjectFiles;
  /** What the host sends waits here while a handshake is not answered yet. */
  readonly arrivals: Arrivals;
  /** The hooks of settings files and plugins. */
  commandHooks(): readonly SettingsHook[];
  /** What the project's files say and nobody heeds, because the user does not trust their folder. */
  withheld(): Promise<readonly Withheld[]>;
  /** How the context window is filled. */
  contextUsage(): Promise<ContextUsage>;
  /** Starts the MCP servers of plugins that have come since. */
  startPluginServers(): Promise<void>;
  /** Changes what `initialize.jsonSchema` asks for. */
  setSchema(schema: JsonObject): void;
  rename(title: string): void;
  /** Takes fresh tokens over; returns the names of the variables that were. */
  renewTokens(variables: { readonly [name: string]: string }): readonly string[];
}
