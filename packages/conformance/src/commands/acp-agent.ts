import { ACP_THEMES, scoreAcpAgent } from "../acp/score-agent.ts";
import { readArgs, UsageError } from "../options.ts";
import { optionsHelp, SCORE_OPTIONS, scoreProgram } from "./score-program.ts";

const OWN_OPTIONS = [
  [
    "--env <name=value>",
    "sets an environment variable for the agent; {api} is replaced with the API's address; may be repeated",
  ],
  ["--auth-method <id>", "the login method to use"],
] as const;

const HELP = `agentwire-conformance acp-agent [options] [scenario…] -- <command of the agent>

Acts as the client of an agent that speaks the Agent Client Protocol, scripts the API of its model (Messages, Chat Completions, Responses
or Gemini's), and checks what the agent does. Every line is validated against the protocol's own schema. The agent gets a temporary
project and home, dummy keys, and the API's address in ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL.

${optionsHelp("time limit for a scenario (30)", OWN_OPTIONS)}
Examples:
  agentwire-conformance acp-agent --jobs 2 -- agentwire-agent --acp
  agentwire-conformance acp-agent --auth-method gemini-api-key --env GEMINI_MODEL=gemini-2.5-flash -- gemini --acp
`;

const OPTIONS = {
  ...SCORE_OPTIONS,
  timeout: { type: "string", default: "30" },
  env: { type: "string", multiple: true, default: [] as string[] },
  "auth-method": { type: "string" },
} as const;

/** Scores an agent of the Agent Client Protocol; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const given = readArgs(argv, process.cwd(), OPTIONS);
  const variables = Object.fromEntries(given.values.env.map(variable));
  const authMethod = given.values["auth-method"];
  return scoreProgram(given, process.env, {
    help: HELP,
    themes: ACP_THEMES,
    what: "agent",
    subject: (agent) => ({ agent, protocol: "acp" }),
    score: (scoring) => scoreAcpAgent({ ...scoring, variables, authMethod }),
  });
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--env must be NAME=VALUE, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
