import { HOST_THEMES, scoreHost } from "../host-score/score-host.ts";
import { checkCommand, positive, readArgs } from "../options.ts";
import { print } from "../print.ts";
import { printOutcome } from "../report.ts";
import { choose, listing } from "../scenario-options.ts";
import { stopSignal } from "../stop-signal.ts";
import { HOST_HELP } from "./help.ts";
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

/** Scores a host; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const { values, positionals, command } = readArgs(argv, cwd, OPTIONS);
  const themes = choose(HOST_THEMES, values.theme, positionals);
  if (values.help) return print(HOST_HELP);
  if (values.list) return print(listing(themes));
  checkCommand("host", command, process.env.PATH);

  const stop = stopSignal();
  const outcomes = await scoreHost({
    themes,
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
  return reportScore("host", { host: command }, outcomes, values);
}
