import type { DialectName } from "@agentwire/protocol/dialect";

/** What a host expects of turns beyond the spelling of messages. It follows from the dialect, whether given or detected. */
export interface HostExpectations {
  /** Whether prompts that arrive during a turn are injected as in the miriad dialect: reported, joined by empty lines, and accepted until the turn ends. */
  readonly injects: boolean;
  /** Whether a reply is sent as a whole, with its usage, before any of its tools run. */
  readonly wholeReplies: boolean;
  /** Whether the result of a tool is sent in full, even if the model gets only a part of it. */
  readonly fullResults: boolean;
  /** Whether a turn may end before the subagents it started; their results are then reported in a turn without a prompt. */
  readonly outlivesTurns: boolean;
  /** Whether a process that is asked to end first cancels its turn, so that the turn still has a result. */
  readonly endsInResult: boolean;
  /** Whether the message that opens a turn includes the descriptions of the tools, not only their names. */
  readonly describesTools: boolean;
  /** Whether `--verbose` enables the log; hosts of the official wire must pass it to get any lines at all. */
  readonly verboseLogs: boolean;
}

const OFFICIAL: HostExpectations = {
  injects: false,
  wholeReplies: false,
  fullResults: false,
  outlivesTurns: true,
  endsInResult: false,
  describesTools: false,
  verboseLogs: false,
};

/** Hosts that always wait for exactly one result per prompt. */
const WAITING: HostExpectations = { ...OFFICIAL, outlivesTurns: false, endsInResult: true };

const EXPECTATIONS: Readonly<Record<DialectName, HostExpectations>> = {
  claude: OFFICIAL,
  "claude-v1": OFFICIAL,
  miriad: { ...WAITING, injects: true, wholeReplies: true, fullResults: true },
  jsonrpc: WAITING,
  dart: { ...WAITING, wholeReplies: true, describesTools: true, verboseLogs: true },
  acp: WAITING,
};

/** What hosts of a dialect expect. */
export const expectationsOf = (dialect: DialectName): HostExpectations => EXPECTATIONS[dialect];
