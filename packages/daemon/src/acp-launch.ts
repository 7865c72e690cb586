import type { JsonObject } from "@agentwire/protocol";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { Log } from "@agentwire/protocol/support";
import { fileHandlers } from "./session/agent-files.ts";
import type { Deciders, Launched } from "./session/agent-run.ts";
import { AgentTerminals } from "./session/agent-terminals.ts";
import { CallJudge } from "./session/call-judge.ts";
import type { SessionRecord } from "./store/session-record.ts";

/** Explains which calls rules can't cover for an agent that speaks the Agent Client Protocol. */
const SHORTFALL =
  "This agent speaks the Agent Client Protocol: rules apply to calls that it asks about and to those it makes through the daemon, not to calls that it makes on its own. To limit those, run it in a sandbox.";

/** The input for the launch of such an agent. */
interface AcpLaunch {
  readonly record: SessionRecord;
  /** Its settings. */
  readonly agent: { readonly args?: readonly string[]; readonly authMethod?: string };
  readonly deciders: Deciders;
  /** The MCP servers that clients have given to it. */
  readonly servers: JsonObject | undefined;
  /** The agent's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether it runs in a sandbox; if so, it does not use the daemon's file and terminal handlers. */
  readonly isConfined: boolean;
  /** Whether there are rules for the session. */
  readonly hasRules: boolean;
  readonly log: Log;
}

/** Prepares the launch of an Agent Client Protocol agent, which gets as session parameters what other agents get as flags. */
export function acpLaunch(wanted: AcpLaunch): Omit<Launched, "health"> {
  const { record, agent, deciders, env, isConfined, hasRules, servers, log } = wanted;
  const { cwd, model, mode, agentSessionId } = record;
  const judge = new CallJudge(cwd, deciders);
  const terminals = new AgentTerminals(judge, cwd, env, log);
  return {
    sessionId: undefined,
    distrust: undefined,
    takesRules: false,
    isOutdated: () => false,
    takesModel: async () => true,
    costOf: undefined,
    shortfall: hasRules ? SHORTFALL : undefined,
    ended: () => terminals.close(),
    options: {
      dialect: "acp",
      cwd,
      env,
      args: agent.args ?? [],
      includePartialMessages: true,
      ...(agentSessionId !== "" && { resume: agentSessionId }),
      ...(model !== "" && { model }),
      ...(mode !== "default" && { permissionMode: mode as PermissionMode }),
      permissions: deciders.permissions,
      ...(!isConfined && { handlers: { ...fileHandlers(judge, log), ...terminals.handlers } }),
      initialize: {
        session: {
          cwd,
          ...(agent.authMethod !== undefined && { auth_method: agent.authMethod }),
          // They were validated when the client set them.
          ...(servers && { mcp_servers: servers as never }),
        },
      },
    },
  };
}
