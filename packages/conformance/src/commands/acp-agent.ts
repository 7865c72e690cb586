import { ACP_THEMES, scoreAcpAgent } from "../acp/score-agent.ts";
import { checkCommand, positive, readArgs, UsageError } from "../options.ts";
import { print } from "../print.ts";
import { printOutcome } from "../report.ts";
import { choose, listing } from "../scenario-options.ts";
import { stopSignal } from "../stop-signal.ts";
import { ACP_AGENT_HELP } from "./help.ts";
import { reportScore } from "./report-score.ts";

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  theme: { type: "string", multiple: true, default: [] as string[] },
  env: { type: "string", multiple: true, default: [] as string[] },
  "auth-method": { type: "string" },
  jobs: { type: "string", default: "1" },
  timeout: { type: "string", default: "30" },
  junit: { type: "string" },
} as const;

/** Scores an agent of the Agent Client Protocol; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals, command } = readArgs(argv, process.cwd(), OPTIONS);
  const themes = choose(ACP_THEMES, values.theme, positionals);
  if (values.help) return print(ACP_AGENT_HELP);
  if (values.list) return print(listing(themes));
  checkCommand("agent", command, process.env.PATH);

  const stop = stopSignal();
  const outcomes = await scoreAcpAgent({
    themes,
    command,
    environment: process.env,
    variables: Object.fromEntries(values.env.map(variable)),
    authMethod: values["auth-method"],
    jobs: positive("--jobs", values.jobs),
    limitMs: 1000 * positive("--timeout", values.timeout),
    signal: stop.signal,
    onOutcome: (outcome) => {
      if (!values.json) print(printOutcome(outcome, values.all));
    },
  });
  if (stop.signal.aborted) return stop.exitCode();
  return reportScore("agent", { agent: command, protocol: "acp" }, outcomes, values);
}

function variable(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--env takes NAME=VALUE, not ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
