import { ACP_CLIENT_ALWAYS, ACP_CLIENT_THEMES } from "../acp/client-scenarios.ts";
import { scoreHost } from "../host-score/score-host.ts";
import { checkCommand, positive, readArgs } from "../options.ts";
import { print } from "../print.ts";
import { printOutcome } from "../report.ts";
import { choose, listing } from "../scenario-options.ts";
import { stopSignal } from "../stop-signal.ts";
import { ACP_CLIENT_HELP } from "./help.ts";
import { reportScore } from "./report-score.ts";

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  list: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  theme: { type: "string", multiple: true, default: [] as string[] },
  jobs: { type: "string", default: "1" },
  timeout: { type: "string", default: "20" },
  junit: { type: "string" },
} as const;

/** Scores a client of the Agent Client Protocol; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals, command } = readArgs(argv, process.cwd(), OPTIONS);
  const themes = choose(ACP_CLIENT_THEMES, values.theme, positionals);
  if (values.help) return print(ACP_CLIENT_HELP);
  if (values.list) return print(listing(themes));
  checkCommand("host", command, process.env.PATH);

  const stop = stopSignal();
  const outcomes = await scoreHost({
    themes,
    always: ACP_CLIENT_ALWAYS,
    command,
    environment: process.env,
    jobs: positive("--jobs", values.jobs),
    limitMs: 1000 * positive("--timeout", values.timeout),
    signal: stop.signal,
    onOutcome: (outcome) => {
      if (!values.json) print(printOutcome(outcome, values.all));
    },
  });
  if (stop.signal.aborted) return stop.exitCode();
  return reportScore("host", { client: command, protocol: "acp" }, outcomes, values);
}
