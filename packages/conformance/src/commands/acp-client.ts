import { ACP_CLIENT_ALWAYS, ACP_CLIENT_THEMES } from "../acp/client-scenarios.ts";
import { scoreHost } from "../host-score/score-host.ts";
import { readArgs } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const HELP = `agentwire-conformance acp-client [options] [scenario…] -- <command of the client>

Runs a program that drives agents over the Agent Client Protocol against scripted agents, and scores what it writes and how it exits. Every
line is validated against the protocol's own schema. The program gets the path of the agent in AGENTWIRE_AGENT (or in place of {agent}
in its command) and its task, as JSON, in AGENTWIRE_TASK:

  prompts       send these in order, each after the previous turn has ended; print the agent's text of each turn as a line
  answer        answer questions with an option of this kind: allow_once (the default) or reject_once
  cancelAt      cancel the turn at the first update of this kind

The program must exit with 0, or with another code if a turn failed. {prompt} in its command is replaced with the first prompt.

${optionsHelp("time limit for a client (20)")}
Example:
  agentwire-conformance acp-client prompt -- npx acpx --agent {agent} --format quiet exec {prompt}
`;

const OPTIONS = { ...SCORE_OPTIONS, timeout: { type: "string", default: "20" } } as const;

/** Scores a client of the Agent Client Protocol; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  return scoreProgram(readArgs(argv, process.cwd(), OPTIONS), process.env, {
    help: HELP,
    themes: ACP_CLIENT_THEMES,
    what: "host",
    subject: (client) => ({ client, protocol: "acp" }),
    score: (scoring) => scoreHost({ ...scoring, always: ACP_CLIENT_ALWAYS }),
  });
}
