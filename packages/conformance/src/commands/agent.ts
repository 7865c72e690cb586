import { keepTranscript } from "../keep-transcript.ts";
import { checkCommand, readArgs, UsageError } from "../options.ts";
import { print } from "../print.ts";
import { RECORDED_AGENT } from "../recording.ts";
import { printOutcome } from "../report.ts";
import { listing, playable, readScenarioOptions, SCENARIO_OPTIONS } from "../scenario-options.ts";
import { THEMES } from "../scenarios/all.ts";
import { score } from "../score.ts";
import { stopSignal } from "../stop-signal.ts";
import { AGENT_HELP } from "./help.ts";
import { reportScore } from "./report-score.ts";

const OPTIONS = {
  ...SCENARIO_OPTIONS,
  json: { type: "boolean", default: false },
  all: { type: "boolean", default: false },
  junit: { type: "string" },
  wire: { type: "string" },
} as const;

const WIRES = ["chat", "responses"] as const;

function wireOf(given: string | undefined): (typeof WIRES)[number] | undefined {
  const wire = WIRES.find((one) => one === given);
  if (given !== undefined && wire === undefined)
    throw new UsageError(`--wire takes ${WIRES.join(" or ")}, not ${given}`);
  return wire;
}

/** Scores an agent; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const cwd = process.cwd();
  const { values, positionals, command } = readArgs(argv, cwd, OPTIONS);
  const chosen = readScenarioOptions(values, positionals, THEMES, cwd);
  const wire = wireOf(values.wire);
  if (values.help) return print(AGENT_HELP);
  if (values.list) return print(listing(chosen.themes));
  checkCommand("agent", command, process.env.PATH);

  const stop = stopSignal();
  const tell = (text: string) => void process.stderr.write(text);
  const { out } = chosen;
  const outcomes = await score({
    ...chosen,
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
  if (stop.signal.aborted) return stop.exitCode();
  return reportScore("agent", { agent: command, recordings: RECORDED_AGENT }, outcomes, values);
}
