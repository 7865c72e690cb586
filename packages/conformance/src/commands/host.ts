import { HOST_THEMES, scoreHost } from "../host-score/score-host.ts";
import { readArgs } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const HELP = `agentwire-conformance host [options] [scenario…] -- <command of the host>

Runs a program that drives agents against scripted agents, and scores what it writes and how it ends. The program gets the path of
the agent in AGENTWIRE_AGENT (or in place of {agent} in its command) and its task in AGENTWIRE_TASK, as JSON:

  prompts       sent in order, each after the previous result; the text of every result is printed as a line
  permissions   the answers to permission questions, by tool; "wait": no answer until the question is withdrawn
  hooks         the outputs of the hooks, by event
  server        the name of an MCP server in the program, whose tool add adds a and b
  interruptAt   interrupts at the first message of this type
  silenceMs     ends an agent that is silent for this long during a turn, or stays this long after its end

It must exit with 0, or with another code if the session failed.

${optionsHelp("time limit for a host (20)")}
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
