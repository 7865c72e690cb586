/** What each `HostError` code means and what to do about it, one sentence each. */
export const HOST_ERRORS = {
  agent_not_found: "The program was not found: give the path of an agent, or put one on PATH.",
  not_executable: "The file exists but is not executable: check its mode and, for a script, its first line.",
  spawn_failed: "The system could not start the program; `cause` says why.",
  argument_too_long: "An argument or the environment is longer than the system allows: put it in a file.",
  no_first_line: "The agent was sent a request and wrote no line within the deadline.",
  line_too_long:
    "The agent wrote a line longer than `maxLineBytes`; continuing without it would lose a message.",
  silent:
    "During a turn, with nothing open at the host, the agent wrote nothing for too long, or did not respond while a tool ran.",
  exited: "The agent exited with a non-zero code.",
  killed: "The agent was killed by a signal that this host did not send.",
  limit_exceeded: "The agent exceeded a limit of its sandbox and was stopped; the text says which.",
  output_closed: "The agent closed its output but kept running; it was stopped.",
  closed: "The host has closed the session; nothing more can be sent or asked.",
  aborted: "The caller's abort signal fired.",
  input_closed: "The agent no longer reads, or its input was ended: nothing more can be sent.",
  request_timeout:
    "The agent did not answer a control request in time; older versions never answer what they don't know.",
  request_failed:
    "The agent answered a control request with an error; `errorCode` is its own code where it gave one.",
  unencodable: "The message can't be serialized as JSON and was not sent.",
  unsupported_option: "This agent does not support a given option.",
  unsupported_version: "The agent is older than any version this host can drive.",
  unsupported_request: "This agent's version does not support this control request; it was not sent.",
  invalid_option: "An option has an invalid value, or two options contradict each other.",
  store_timeout: "A session store did not answer within `loadTimeoutMs` while resuming a session.",
  callback_failed: "The caller's own `take`, `onMessage` or `onMalformed` threw; `cause` is what it threw.",
  record_failed: "The transcript file could not be written.",
  session_not_found: "No session with that id was found, or it is empty.",
} as const;

/** The reasons why driving an agent can fail. */
export type HostErrorCode = keyof typeof HOST_ERRORS;

/** What is known about the agent's process when something fails. */
export interface ProcessFacts {
  readonly pid?: number | undefined;
  readonly exitCode?: number | null | undefined;
  readonly exitSignal?: NodeJS.Signals | null | undefined;
  /** The last of what the agent wrote to stderr. */
  readonly stderr?: string | undefined;
}

/** What a `HostError` may carry besides its code and message. */
export interface HostErrorOptions extends ErrorOptions, ProcessFacts {
  /** The `error_code` of the agent's error answer. */
  readonly errorCode?: string | undefined;
}

/** The one error that this package throws or rejects with; programs read `code`, people read the message. */
export class HostError extends Error implements ProcessFacts {
  override readonly name: string = "HostError";
  readonly code: HostErrorCode;
  readonly pid: number | undefined;
  readonly exitCode: number | null | undefined;
  readonly exitSignal: NodeJS.Signals | null | undefined;
  readonly stderr: string | undefined;
  readonly errorCode: string | undefined;

  constructor(code: HostErrorCode, message: string, options: HostErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.pid = options.pid;
    this.exitCode = options.exitCode;
    this.exitSignal = options.exitSignal;
    this.stderr = options.stderr;
    this.errorCode = options.errorCode;
  }
}

/** Thrown to the reader of a query that its `abortController` ended. */
export class AbortError extends Error {
  override readonly name: string = "AbortError";
}
