import type { JsonObject } from "@agentwire/protocol";
import type { PermissionMode } from "@agentwire/protocol/permission";
import type { Log } from "@agentwire/protocol/support";
import { fileHandlers } from "./session/agent-files.ts";
import type { Deciders, Launched } from "./session/agent-run.ts";
import { AgentTerminals } from "./session/agent-terminals.ts";
import { CallJudge } from "./session/call-judge.ts";
import type { SessionRecord } from "./store/session-record.ts";

/** What the rules of a session can't be held to with an agent of the Agent Client Protocol, for people. */
const SHORTFALL =
  "This agent speaks the Agent Client Protocol: rules apply to what it asks about and to what it has the daemon do, not to calls that it makes by itself. To limit those, run it in a sandbox.";

/** What the launch of such an agent is made of. */
interface AcpLaunch {
  readonly record: SessionRecord;
  /** What its settings say. */
  readonly agent: { readonly args?: readonly string[]; readonly authMethod?: string };
  readonly deciders: Deciders;
  /** The MCP servers that clients have handed to it. */
  readonly servers: JsonObject | undefined;
  /** The agent's whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether it runs in a sandbox: it then does its work inside, by itself. */
  readonly isConfined: boolean;
  /** Whether there are rules for the session. */
  readonly hasRules: boolean;
  readonly log: Log;
}

/** How an agent of the Agent Client Protocol is launched: it is told when its session is opened what others are told by flags. */
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
          // They were checked when they were taken.
          ...(servers && { mcp_servers: servers as never }),
        },
      },
    },
  };
}
