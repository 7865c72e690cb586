import { ACP_CLIENT_ALWAYS, ACP_CLIENT_THEMES } from "../acp/client-scenarios.ts";
import { scoreHost } from "../host-score/score-host.ts";
import { readArgs } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const HELP = `agentwire-conformance acp-client [options] [scenario…] -- <command of the client>

Runs a program that drives agents by the Agent Client Protocol against scripted agents, and scores what it writes and how it ends. Every
line is held against the protocol's own schema. The program finds the path of the agent in AGENTWIRE_AGENT (or where its command
has {agent}) and what it is to do in AGENTWIRE_TASK, as JSON:

  prompts       sent in order, each after the end of the turn before; the agent's text of every turn is printed as a line
  answer        the kind of option with which questions are answered: allow_once (unless said otherwise) or reject_once
  cancelAt      cancels the turn when the first update of this kind comes

It ends with 0, or with another code where a turn failed. Where its command has {prompt}, that is the first prompt.

${optionsHelp("how long a client may take (20)")}
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
