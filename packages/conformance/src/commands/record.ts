import { pathReplacer } from "../compare/paths.ts";
import { examine } from "../drift/examine.ts";
import { makeContract, printContract } from "../drift/make-contract.ts";
import { mapTexts } from "../json-path.ts";
import { keepTranscript } from "../keep-transcript.ts";
import { checkCommand, readArgs } from "../options.ts";
import { playScenarios } from "../play-scenarios.ts";
import { print } from "../print.ts";
import { listing, playable, readScenarioOptions, SCENARIO_OPTIONS } from "../scenario-options.ts";
import { THEMES } from "../scenarios/all.ts";
import { stopSignal } from "../stop-signal.ts";
import type { Transcript } from "../transcript.ts";

const HELP = `agentwire-conformance record [options] [scenario…] -- <command of the agent>

Plays the scenarios with an agent and prints its contract: the messages that it writes with their fields and JSON types, how it
answers requests, its flags and capabilities, and the order of its messages. Compare two contracts with the diff command.

  --theme <name>    plays only this theme; may be repeated
  --fast            skips slow scenarios (about a minute each)
  --jobs <n>        scenarios to run at once (1)
  --timeout <s>     time limit for a scenario (40)
  --out <folder>    saves the transcripts as recordings
  --list            lists the scenarios
  -h, --help        prints this help

Exit codes: 0 success, 2 usage error.

Example:
  agentwire-conformance record --fast --jobs 2 -- claude > claude.json
`;

/** An older agent never answers a request that it does not know; the contract records that too. */
const GO_ON_AFTER_MS = 4000;

/** Writes the contract of an agent; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const { values, positionals, command } = readArgs(argv, cwd, SCENARIO_OPTIONS);
  const chosen = readScenarioOptions(values, positionals, THEMES, cwd);
  if (values.help) return print(HELP);
  if (values.list) return print(listing(chosen.themes));
  checkCommand("agent", command, process.env.PATH);

  const stop = stopSignal();
  const { out } = chosen;
  const tell = (text: string) => void process.stderr.write(text);
  const themes = playable(chosen.themes, process.env.PATH, tell);
  const options = { ...chosen, themes, command, environment: process.env, signal: stop.signal };
  const facts = await examine(options);
  const transcripts = new Map<string, Transcript>();
  const play = { ...options, asksHost: facts.asksHost, goOnAfterMs: GO_ON_AFTER_MS };
  await playScenarios(play, async ({ scenario, run }) => {
    const replace = pathReplacer(run.folders);
    transcripts.set(
      scenario.name,
      run.transcript.map((entry) => ({ ...entry, line: mapTexts(entry.line, replace) })),
    );
    process.stderr.write(`${scenario.name}${run.failure === undefined ? "" : `: ${run.failure}`}\n`);
    if (out !== undefined) await keepTranscript(out, scenario.name, run);
  });
  if (stop.signal.aborted) return stop.exitCode();
  return print(printContract(makeContract(facts, transcripts)));
}
