import type { AgentDefinition, JsonObject } from "@agentwire/protocol";
import type { Checkpoints } from "./checkpoint/checkpoints.ts";
import type { Config } from "./config.ts";
import type { ProjectContext } from "./context/context.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { HostLink } from "./host-link.ts";
import type { McpServers } from "./mcp/servers.ts";
import type { ModelState } from "./model-state.ts";
import type { Gate } from "./permission/gate.ts";
import type { Session } from "./session.ts";
import type { Settings } from "./settings/settings.ts";
import type { Workspace } from "./workspace.ts";

/** What the host said in `initialize`, as far as it lasts. */
export interface HostWishes {
  systemPrompt: string | undefined;
  appendSystemPrompt: string | undefined;
  agents: ReadonlyMap<string, AgentDefinition>;
  forwardSubagentText: boolean;
  title: string | undefined;
}

/** A whole agent, put together: what the control requests and the edge of the program reach. */
export interface Runtime {
  readonly config: Config;
  readonly host: HostLink;
  readonly session: Session;
  readonly settings: Settings;
  readonly gate: Gate;
  readonly hooks: Hooks;
  readonly mcp: McpServers;
  readonly model: ModelState;
  readonly checkpoints: Checkpoints;
  readonly workspace: Workspace;
  readonly wishes: HostWishes;
  /** Settles when a handshake that has begun is answered: prompts that came meanwhile wait for it. */
  handshake: Promise<void>;
  /** The project's own files, read when first needed. */
  context(): Promise<ProjectContext>;
  reloadContext(): Promise<ProjectContext>;
  /** How the context window is filled. */
  contextUsage(): Promise<JsonObject>;
  /** Changes what `initialize.jsonSchema` asks for. */
  setSchema(schema: JsonObject): void;
}
