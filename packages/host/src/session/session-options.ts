import type { Handlers } from "@agentwire/protocol";
import type { CompatibilityVerdict, Version } from "@agentwire/protocol/compatibility";
import type { agentRequests, hostRequests, RequestOf } from "@agentwire/protocol/control";
import type { DialectName } from "@agentwire/protocol/dialect";
import type { Launch } from "../link/launch.ts";
import type { PermissionHandler } from "./questions.ts";

/** What a session is opened with; everything may be left out. */
export interface SessionOptions
  extends Pick<
    Launch,
    | "cwd"
    | "dialect"
    | "deadlines"
    | "maxLineBytes"
    | "take"
    | "onMessage"
    | "onMalformed"
    | "onStderr"
    | "onGroup"
    | "spawn"
    | "record"
    | "log"
    | "signal"
  > {
  /** A path, or a name on PATH; else `claude` on PATH, else our own agent. */
  readonly agent?: string;
  /** What is added to the agent's command line. */
  readonly args?: readonly string[];
  /** A whole command line instead of the two above: nothing is added, and nothing asked of it beforehand. */
  readonly command?: readonly [string, ...string[]];
  /** The agent's environment instead of the host's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Who decides about tools: a function, or whoever reads `questions`. Without it, whatever would ask is refused. */
  readonly permissions?: PermissionHandler | "stream";
  /** Who answers hooks, MCP messages, elicitations and dialogs. */
  readonly handlers?: Omit<Handlers<typeof agentRequests>, "can_use_tool">;
  /** What the agent is told in the handshake: hooks, prompts, agents. */
  readonly initialize?: RequestOf<typeof hostRequests, "initialize">;
}

/** What is known of the agent of a session. */
export interface SessionAgent {
  readonly path?: string;
  readonly version?: Version | undefined;
  readonly dialect: DialectName;
  /** How well this host knows that version; absent where nothing was asked. */
  readonly verdict?: CompatibilityVerdict;
}
