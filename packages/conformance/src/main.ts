import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EXIT_CODES } from "@agentwire/protocol";
import { pathReplacer } from "./compare/paths.ts";
import { HELP } from "./help.ts";
import { mapTexts } from "./json-path.ts";
import { type Options, parseOptions, UsageError } from "./options.ts";
import { jsonReport, printOutcome, printTable } from "./report.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import { THEMES } from "./scenarios/all.ts";
import { score } from "./score.ts";
import { printTranscript } from "./transcript.ts";

/** Runs the program; resolves to its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(argv, THEMES, process.cwd());
    if (options.help) print(HELP);
    else if (options.list) print(listing(options));
    else if (options.command.length === 0)
      throw new UsageError("no agent is named: put its command behind --");
    else return await run(options);
    return EXIT_CODES.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`agentwire-conformance: ${error.message}\n`);
    return EXIT_CODES.badUsage;
  }
}

async function run(options: Options): Promise<number> {
  const stop = stopSignal();
  if (options.out !== undefined) await mkdir(options.out, { recursive: true });
  const outcomes = await score({
    ...options,
    environment: process.env,
    signal: stop.signal,
    onOutcome: async (outcome, scenarioRun) => {
      if (!options.json) print(printOutcome(outcome, options.all));
      if (options.out !== undefined) await keep(options.out, outcome.scenario, scenarioRun);
    },
  });
  if (stop.signal.aborted) return stop.exitCode();
  print(options.json ? jsonReport(options.command, outcomes) : `\n${printTable(outcomes)}`);
  return outcomes.some(({ verdict }) => verdict === "mismatch") ? EXIT_CODES.turnFailed : EXIT_CODES.done;
}

/** Signals end the scenarios, not the program: every agent is ended first. */
function stopSignal() {
  const controller = new AbortController();
  let exitCode: number = EXIT_CODES.done;
  const stop = (code: number) => () => {
    exitCode = code;
    controller.abort("the run was stopped");
  };
  process.once("SIGINT", stop(EXIT_CODES.interrupted));
  process.once("SIGTERM", stop(EXIT_CODES.terminated));
  return { signal: controller.signal, exitCode: () => exitCode };
}

async function keep(
  folder: string,
  name: string,
  { transcript, stderr, folders }: ScenarioRun,
): Promise<void> {
  const replace = pathReplacer(folders);
  const lines = transcript.map((entry) => ({ ...entry, line: mapTexts(entry.line, replace) }));
  await writeFile(join(folder, `${name}.jsonl`), printTranscript(lines));
  if (stderr !== "") await writeFile(join(folder, `${name}.stderr.txt`), replace(stderr));
}

function listing({ themes }: Options): string {
  const line = (theme: string, name: string, about: string) =>
    `${theme.padEnd(12)} ${name.padEnd(36)} ${about}\n`;
  return themes
    .flatMap((theme) =>
      theme.scenarios.map(({ name, about, slow }) => line(theme.name, name, about + (slow ? " (slow)" : ""))),
    )
    .join("");
}

const print = (text: string) => void process.stdout.write(text);
