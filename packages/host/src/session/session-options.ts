import type { Handlers } from "@agentwire/protocol";
import type { agentRequests, hostRequests, RequestOf } from "@agentwire/protocol/control";
import { DIALECTS } from "@agentwire/protocol/dialect";
import {
  array,
  boolean,
  either,
  jsonObject,
  literal,
  object,
  record,
  scalar,
  string,
} from "@agentwire/protocol/schema";
import type { Agent } from "../agent/agent.ts";
import { HostError } from "../errors.ts";
import type { Launch } from "../link/link.ts";
import {
  abortSignal,
  callback,
  called,
  givenDeadlines,
  givenOptions,
  length,
  type OptionSchemas,
  orNone,
} from "../options/check.ts";
import type { Options } from "../sdk/options.ts";
import type { SDKMirrorErrorMessage } from "../sdk/session-messages.ts";
import type { PermissionHandler } from "./questions.ts";

/** The options of the official SDK that a session accepts, with the same meaning. */
const OFFICIAL = [
  "effort",
  "forkSession",
  "includePartialMessages",
  "model",
  "permissionMode",
  "resume",
  "resumeSessionAt",
  "sessionId",
  "sessionStore",
  "sessionStoreFlush",
] as const satisfies readonly (keyof Options)[];

/** The options that are passed to the link unchanged. */
const LINKED = [
  "cwd",
  "deadlines",
  "maxLineBytes",
  "take",
  "onMessage",
  "onMalformed",
  "onStderr",
  "onGroup",
  "spawn",
  "confinement",
  "record",
  "log",
  "signal",
] as const satisfies readonly (keyof Launch)[];

/** The options of a session; all are optional. */
export interface SessionOptions
  extends Readonly<Pick<Options, (typeof OFFICIAL)[number]>>,
    Pick<Launch, (typeof LINKED)[number] | "dialect"> {
  /** A path, or a name on PATH; by default `claude` on PATH, else our own agent. Or one that `examineAgent` returned. */
  readonly agent?: string | Agent;
  /** Arguments to add to the agent's command line. */
  readonly args?: readonly string[];
  /** A whole command line instead of `agent` and `args`: nothing is added, and the program is not asked for its version. */
  readonly command?: readonly [string, ...string[]];
  /** The agent's environment, instead of the host's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Decides about tools: a function, or the reader of `questions`. Without it, every question is denied. */
  readonly permissions?: PermissionHandler | "stream";
  /** Answers hooks, MCP messages, elicitations and dialogs. */
  readonly handlers?: Omit<Handlers<typeof agentRequests>, "can_use_tool">;
  /** The parameters of the handshake: hooks, prompts, agents. */
  readonly initialize?: RequestOf<typeof hostRequests, "initialize">;
  /** Called when a part of the conversation could not be written to `sessionStore`. */
  readonly onMirrorError?: (error: SDKMirrorErrorMessage) => void;
}

/** What is known about the agent of a session. */
export type SessionAgent = Omit<Agent, "command">;

const SESSION_OPTIONS: OptionSchemas<SessionOptions> = {
  agent: either(string, called("an examined agent", object({ command: array(string), dialect: string }))),
  args: array(string),
  command: scalar(
    "a list with a program and its arguments",
    (value) => array(string).accepts(value) && value.length > 0,
  ),
  confinement: called("a sandbox", object({ enter: callback, entered: callback, left: callback })),
  cwd: string,
  deadlines: jsonObject,
  dialect: literal(...Object.keys(DIALECTS)),
  effort: string,
  env: jsonObject,
  forkSession: boolean,
  handlers: record(orNone(callback)),
  includePartialMessages: boolean,
  initialize: jsonObject,
  log: jsonObject,
  maxLineBytes: length,
  model: string,
  onGroup: callback,
  onMalformed: callback,
  onMessage: callback,
  onMirrorError: callback,
  onStderr: callback,
  permissionMode: string,
  permissions: either(callback, literal("stream")),
  record: string,
  resume: string,
  resumeSessionAt: string,
  sessionId: string,
  sessionStore: object({ append: callback, load: callback }),
  sessionStoreFlush: literal("batched", "eager"),
  signal: abortSignal,
  spawn: callback,
  take: callback,
};

/** Returns the options that were given; throws at once for an unknown name, a wrong type, or a deadline that is not a time. */
export function checkedSessionOptions(all: SessionOptions): SessionOptions {
  const options = givenOptions(all, SESSION_OPTIONS, (name) => `unknown option ${name} of a session`);
  const { command, agent, args, deadlines } = options;
  if (command && (agent !== undefined || args || Object.keys(officialOptions(options)).length > 0))
    throw new HostError(
      "invalid_option",
      "Give either a whole command line, or an agent and arguments to add to its own.",
    );
  return deadlines ? { ...options, deadlines: givenDeadlines(deadlines) } : options;
}

/** The options of the official SDK among those of a session. */
export const officialOptions = (options: SessionOptions): Options => pick(options, OFFICIAL);

/** The options of a session that the link takes. */
export const linkOptions = (options: SessionOptions) => pick(options, LINKED);

function pick<Name extends keyof SessionOptions>(
  options: SessionOptions,
  names: readonly Name[],
): Pick<SessionOptions, Name> {
  const given = names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return Object.fromEntries(given) as Pick<SessionOptions, Name>;
}
