import { openShared } from "../agent-driver/shared-process.ts";
import { keepTranscript } from "../keep-transcript.ts";
import { checkCommand, readArgs, UsageError } from "../options.ts";
import { print } from "../print.ts";
import { RECORDED_AGENT } from "../recording.ts";
import { printOutcome } from "../report.ts";
import { listing, playable, readScenarioOptions, SCENARIO_OPTIONS } from "../scenario-options.ts";
import { THEMES } from "../scenarios/all.ts";
import { score } from "../score.ts";
import { stopSignal } from "../stop-signal.ts";
import { reportScore } from "./report-score.ts";

const HELP = `agentwire-conformance agent [options] [scenario…] -- <command of the agent>

Acts as the host of an agent, scripts the API that it calls, and compares what it writes with recordings of the official agent.
The agent gets a temporary project and home, a dummy key, and only the environment variables that any program needs to run.

  --theme <name>    plays only this theme; may be repeated
  --fast            skips slow scenarios (about a minute each)
  --jobs <n>        scenarios to run at once (1)
  --timeout <s>     time limit for a scenario (40)
  --one-process     plays all scenarios in one process, --jobs at once; for agents that support --listen
  --all             prints every difference, including soft ones
  --json            prints a JSON report
  --junit <file>    writes a JUnit report for CI systems
  --out <folder>    saves the transcripts
  --wire <name>     scripts another API instead of the Messages API: chat (Chat Completions) or responses (Responses); for
                    agents that support AGENTWIRE_PROVIDERS
  --list            lists the scenarios
  -h, --help        prints this help

Exit codes: 0 every scenario matches or deviates on purpose, 1 one does not, 2 usage error.

Examples:
  agentwire-conformance agent --jobs 2 --fast -- agentwire-agent
  agentwire-conformance agent --theme permissions -- node ./my-agent.js
  agentwire-conformance agent --all two-turns -- claude
`;

const OPTIONS = {
  ...SCENARIO_OPTIONS,
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  junit: { type: "string" },
  wire: { type: "string" },
  "one-process": { type: "boolean", default: false },
} as const;

const WIRES = ["chat", "responses"] as const;

function wireOf(given: string | undefined): (typeof WIRES)[number] | undefined {
  const wire = WIRES.find((one) => one === given);
  if (given !== undefined && wire === undefined)
    throw new UsageError(`--wire must be ${WIRES.join(" or ")}, not ${given}`);
  return wire;
}

/** Scores an agent; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const { values, positionals, command } = readArgs(argv, cwd, OPTIONS);
  const chosen = readScenarioOptions(values, positionals, THEMES, cwd);
  const wire = wireOf(values.wire);
  if (values.help) return print(HELP);
  if (values.list) return print(listing(chosen.themes));
  checkCommand("agent", command, process.env.PATH);

  const stop = stopSignal();
  const tell = (text: string) => void process.stderr.write(text);
  const { out } = chosen;
  const shared = values["one-process"] ? await openShared(command, process.env.PATH) : undefined;
  const outcomes = await score({
    ...chosen,
    ...(shared && { start: shared.start }),
    themes: playable(chosen.themes, process.env.PATH, tell),
    command,
    environment: process.env,
    wire,
    signal: stop.signal,
    onOutcome: async (outcome, run) => {
      if (!values.json) print(printOutcome(outcome, values.all));
      if (out !== undefined) await keepTranscript(out, outcome.scenario, run);
    },
  });
  await shared?.close();
  if (stop.signal.aborted) return stop.exitCode();
  return reportScore("agent", { agent: command, recordings: RECORDED_AGENT }, outcomes, values);
}
