import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { checkCommand, positive, reading, splitArgs } from "../options.ts";
import { print } from "../print.ts";
import { stopSignal } from "../stop-signal.ts";
import { type CallComparison, judge } from "../tool-calls/judge.ts";
import { playCalls } from "../tool-calls/play-calls.ts";
import { type Results, readRecordedResults } from "../tool-calls/recorded-results.ts";
import { CALL_GROUPS } from "../tool-calls/tables/all.ts";

const HELP = `agentwire-conformance tools [options] -- <command of the agent>

Makes an agent run about 500 tool calls (Read, Edit, Grep, Bash …) in temporary folders, and compares the results with those of
the official agent. Ids, times and paths are ignored.

  --timeout <s>     time limit for each group of calls (120)
  --record <file>   writes the results instead of comparing them
  -h, --help        prints this help

Exit codes: 0 every result is the same, worded differently, or different on purpose, 1 a result differs otherwise, 2 usage error.

Example:
  agentwire-conformance tools -- agentwire-agent
`;

const OPTIONS = {
  help: { type: "boolean", short: "h", default: false },
  record: { type: "string" },
  timeout: { type: "string", default: "120" },
} as const;

/** Plays tool calls with an agent and compares the results with those of the official one; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { own, command } = splitArgs(argv, process.cwd());
  const { values } = reading(() => parseArgs({ args: [...own], options: OPTIONS }));
  if (values.help) return print(HELP);
  checkCommand("agent", command, process.env.PATH);
  const limitMs = positive("--timeout", values.timeout) * 1000;

  const stop = stopSignal();
  const ours: Record<string, Results[string]> = {};
  for (const group of CALL_GROUPS) {
    const played = await playCalls(group, {
      command,
      environment: process.env,
      limitMs,
      signal: stop.signal,
    });
    if (stop.signal.aborted) return stop.exitCode();
    ours[group.name] = Object.fromEntries(played);
    process.stderr.write(`${group.name}: ${played.size} of ${group.calls.length} calls\n`);
  }
  if (values.record !== undefined) {
    await writeFile(values.record, `${JSON.stringify(ours, undefined, 1)}\n`);
    return EXIT_CODES.done;
  }
  return report(await readRecordedResults(), ours);
}

function report(official: Results, ours: Results): number {
  const judged = judge(official, ours);
  const count = (wanted: CallComparison) => judged.filter(({ verdict }) => verdict === wanted).length;
  const different = judged.filter(({ verdict }) => verdict === "different");
  const details = different.map((call) => `${JSON.stringify(call, undefined, 1)}\n`).join("");
  print(
    `${details}${judged.length} calls: ${count("same")} the same, ${count("worded")} worded differently, ` +
      `${count("listed")} different on purpose, ${different.length} different\n`,
  );
  return different.length === 0 ? EXIT_CODES.done : EXIT_CODES.turnFailed;
}
