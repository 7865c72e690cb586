import { HOST_THEMES, scoreHost } from "../host-score/score-host.ts";
import { readArgs } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const HELP = `agentwire-conformance host [options] [scenario…] -- <command of the host>

Runs a program that drives agents against scripted agents, and scores what it writes and how it ends. The program finds the path of
the agent in AGENTWIRE_AGENT (or where its command has {agent}) and what it is to do in AGENTWIRE_TASK, as JSON:

  prompts       sent in order, each after the result of the one before; the text of every result is printed as a line
  permissions   what is answered when a tool asks, by its name; "wait": nothing, until the question is withdrawn
  hooks         what the hooks answer, by event
  server        the name of an MCP server of its own, whose tool add adds a and b
  interruptAt   interrupts when the first message of this type comes
  silenceMs     an agent that is silent for so long in the middle of a turn, or stays so long after its end, is given up

It ends with 0, or with another code where the session failed.

${optionsHelp("how long a host may take (20)")}
Example:
  agentwire-conformance host --jobs 2 -- node ./my-host.js
`;

const OPTIONS = { ...SCORE_OPTIONS, timeout: { type: "string", default: "20" } } as const;

/** Scores a host; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  return scoreProgram(readArgs(argv, process.cwd(), OPTIONS), process.env, {
    help: HELP,
    themes: HOST_THEMES,
    what: "host",
    subject: (host) => ({ host }),
    score: scoreHost,
  });
}
