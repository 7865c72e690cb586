import { HOST_THEMES, scoreHost } from "../host-score/score-host.ts";
import { readArgs } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const HELP = `agentwire-conformance host [options] [scenario…] -- <command of the host>

Runs a program that drives agents against scripted agents, and scores what it writes and how it exits. The program gets the path of
the agent in AGENTWIRE_AGENT (or in place of {agent} in its command) and its task, as JSON, in AGENTWIRE_TASK:

  prompts       send these in order, each after the previous result; print the text of each result as a line
  permissions   give these answers to permission questions, by tool; "wait": do not answer until the question is withdrawn
  hooks         register hooks for these events, with these outputs
  server        serve an MCP server with this name in the program; its tool add adds a and b
  interruptAt   interrupt at the first message of this type
  silenceMs     stop an agent that is silent for this long during a turn, or has not exited this long after its stdin was closed

The program must exit with 0, or with another code if the session failed.

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
