import { resolve } from "node:path";
import type { Agent } from "../agent/agent.ts";
import { HostError } from "../errors.ts";
import type { Environment } from "../options/environment.ts";
import type { PreparedSession } from "./prepare-session.ts";
import type { SessionOptions } from "./session-options.ts";

/** What other agents are told by flags, an agent of the Agent Client Protocol is told when its session is opened. */
export function prepareAcp(agent: Agent, env: Environment, options: SessionOptions): PreparedSession {
  const {
    cwd,
    resume,
    model,
    permissionMode,
    includePartialMessages,
    handlers = {},
    initialize = {},
  } = options;
  for (const name of ["forkSession", "sessionId", "sessionStore"] as const)
    if (options[name] !== undefined)
      throw new HostError("unsupported_option", `${name}: the Agent Client Protocol has no word for it.`);
  const [command, ...prefix] = agent.command;
  const does = (...names: readonly (keyof typeof handlers)[]) => names.every((name) => handlers[name]);
  const session = {
    cwd: resolve(cwd ?? ""),
    ...(resume !== undefined && { resume }),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permission_mode: permissionMode }),
    partial_messages: includePartialMessages === true,
    files: does("read_text_file", "write_text_file"),
    terminals: does(
      "create_terminal",
      "terminal_output",
      "wait_for_terminal_exit",
      "kill_terminal",
      "release_terminal",
    ),
    elicitation: does("elicitation"),
    ...initialize.session,
  };
  return {
    agent,
    launch: { command, args: [...prefix, ...(options.args ?? [])], env, dialect: "acp" },
    initialize: { ...initialize, session },
    remove: async () => {},
  };
}
