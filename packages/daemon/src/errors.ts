import type { ExitCode } from "@agentwire/protocol/support";

/** What each `DaemonError` code means, one sentence each. */
export const DAEMON_ERRORS = {
  SESSION_NOT_FOUND: "There is no session with that id.",
  QUESTION_NOT_FOUND: "There is no question with that id.",
  PERMISSION_STALE: "The question was not answered in time, or its agent is gone.",
  INVALID_ARGUMENT: "The request is invalid; the text says why.",
  NOT_INPUT_HOLDER: "Another client holds the input of this session.",
  STORE_UNAVAILABLE: "The store is not accepting writes; the text says what to do.",
  WORKSPACE_REFUSED: "The files or the repository of the session do not allow it; the text says why.",
  WORKTREE_REFUSED: "The worktree can't be created, shown or ended like this; the text says why.",
  AGENT_FAILED: "The agent could not do what was asked; the text says why.",
  NAME_TAKEN: "Another one has that name; choose another, or remove that one.",
  PORT_IN_USE: "Another program listens at that port.",
  SETTINGS_UNUSABLE: "The settings can't be used, and nothing has changed; the text says why.",
  FORBIDDEN: "The client's token does not allow this.",
  TOO_MANY: "Too much is running or waiting; try again later.",
  BUDGET_EXHAUSTED: "A budget is spent: no new turn starts until it is raised.",
  SESSION_ELSEWHERE: "Another node runs this session; ask again.",
  NODE_DOWN: "The session belongs to a node that is not running; the text says what to do.",
  SHUTTING_DOWN: "The daemon is stopping.",
} as const;

/** The reasons for which a command fails. */
export type DaemonErrorCode = keyof typeof DAEMON_ERRORS;

/** Why a command of a client can't be done; programs read `code`, people read the text. */
export class DaemonError extends Error {
  override readonly name = "DaemonError";
  readonly code: DaemonErrorCode;

  constructor(code: DaemonErrorCode, message: string = DAEMON_ERRORS[code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Why a daemon can't start: the agent that sessions would run with is not there, or too old. */
export class AgentUnusable extends Error {
  override readonly name = "AgentUnusable";
  /** With what a program that starts a daemon exits. */
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Why a daemon does not start in a folder: it can't be made, or others could get at what is in it. The text says what to do. */
export class UnusableFolder extends Error {
  override readonly name = "UnusableFolder";
}
