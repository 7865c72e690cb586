import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXIT_CODES } from "@agentwire/protocol";
import { HOST_THEMES, scoreHost } from "../host-score/score-host.ts";
import { printJunit } from "../junit.ts";
import { checkCommand, positive, reading, splitArgs } from "../options.ts";
import { print } from "../print.ts";
import { jsonReport, junitCase, printOutcome, printTable } from "../report.ts";
import { choose, listing } from "../scenario-options.ts";
import { stopSignal } from "../stop-signal.ts";
import { HOST_HELP } from "./help.ts";

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
  const { own, command } = splitArgs(argv, cwd);
  const { values, positionals } = reading(() =>
    parseArgs({ args: [...own], allowPositionals: true, options: OPTIONS }),
  );
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
  if (values.junit !== undefined)
    await writeFile(resolve(cwd, values.junit), printJunit("host", outcomes.map(junitCase)));
  print(values.json ? jsonReport({ host: command }, outcomes) : `\n${printTable(outcomes)}`);
  return outcomes.some(({ verdict }) => verdict === "mismatch") ? EXIT_CODES.turnFailed : EXIT_CODES.done;
}
