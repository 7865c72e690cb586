import type { ExitCode } from "@agentwire/protocol/support";

/** What each `DaemonError` code means, one sentence each. */
export const DAEMON_ERRORS = {
  SESSION_NOT_FOUND: "There is no session with that id.",
  QUESTION_NOT_FOUND: "There is no question with that id.",
  PERMISSION_STALE: "The question was not answered in time, or its agent is gone.",
  INVALID_ARGUMENT: "The request is invalid; the message says why.",
  NOT_INPUT_HOLDER: "Another client holds the input of this session.",
  STORE_UNAVAILABLE: "The store is not accepting writes; the message says what to do.",
  WORKSPACE_REFUSED: "The session's files or repository do not allow this; the message says why.",
  WORKTREE_REFUSED: "The worktree can't be created, shown or ended like this; the message says why.",
  AGENT_FAILED: "The agent could not carry out the request; the message says why.",
  NAME_TAKEN: "That name is taken; choose another one, or remove its current holder.",
  PORT_IN_USE: "Another program is already listening on that port.",
  SETTINGS_UNUSABLE: "The settings are invalid and nothing has changed; the message says why.",
  FORBIDDEN: "The client's token does not allow this.",
  TOO_MANY: "Too much is running or waiting; try again later.",
  BUDGET_EXHAUSTED: "A budget is exhausted; no new turn starts until it is raised.",
  SESSION_ELSEWHERE: "Another node runs this session; ask again.",
  NODE_DOWN: "The session belongs to a node that is not running; the message says what to do.",
  SHUTTING_DOWN: "The daemon is stopping.",
} as const;

/** The codes of the reasons for which a command can fail. */
export type DaemonErrorCode = keyof typeof DAEMON_ERRORS;

/** Why a client's command failed: `code` is for programs, the message for people. */
export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string = DAEMON_ERRORS[code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The daemon can't start because the agent that sessions would run with is missing or too old. */
export class AgentUnusable extends Error {
  override readonly name = "AgentUnusable";
  /** The exit code for a program that starts a daemon. */
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The daemon's folder can't be created, or is accessible to other users; the message says what to do. */
export class UnusableFolder extends Error {
  override readonly name = "UnusableFolder";
}
