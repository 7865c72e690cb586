import type { DialectName } from "@agentwire/protocol/dialect";

/** What a host expects of turns beyond how it spells them. It follows from the dialect, however that became known. */
export interface HostExpectations {
  /** Whether prompts that come during a turn are put into it as the miriad dialect has it: told, joined by an empty line, up to the turn's last moment. */
  readonly injects: boolean;
  /** Whether a reply is told as a whole, with what it used, before any of its tools run. */
  readonly wholeReplies: boolean;
  /** Whether the result of a tool is told in full, though the model gets only a part of it. */
  readonly fullResults: boolean;
  /** Whether a turn may end before the subagents that it started: their end is then reported in a turn without a prompt. */
  readonly outlivesTurns: boolean;
  /** Whether a process that is told to end cancels its turn first, so that it still has its result. */
  readonly endsInResult: boolean;
  /** Whether the message that opens a turn says what the tools are for, beside their names. */
  readonly describesTools: boolean;
  /** Whether `--verbose` asks for a log; hosts of the official wire have to pass it to get lines at all. */
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

/** Hosts that wait for exactly one result per prompt, come what may. */
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
