import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { query } from "@agentwire/host";
import { deltas, largeResults, makeAgent } from "./host/program.mjs";
import { withBareLoop, withQuery } from "./host/readers.mjs";
import { compare, cpuClock, NotMeasured, summary } from "./measure.mjs";

const ROUNDS = 9;
const SLOW_READER = fileURLToPath(new URL("host/slow-reader.mjs", import.meta.url));
const OFFICIAL_SDK = new URL(
  "../test/interop/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs",
  import.meta.url,
);

const MANY = { name: "200,000 stream_event lines", lines: () => deltas(200_000) };
const LARGE = { name: "200 lines of 1 MB", lines: () => largeResults(200) };
const OFFICIAL = { reference: "official SDK", target: 2, reader: officialReader };
const BARE = { reference: "bare split + JSON.parse", target: 0.75, reader: () => withBareLoop };

/**
 * Reads an agent's output through `query()`, from the start of its process to its end, compared with other readers of the same agent.
 * Measures the CPU time of the reading process: elapsed time would also depend on whether the agent gets another core.
 */
export const figures = [
  ...[MANY, LARGE].flatMap((load) =>
    [OFFICIAL, BARE].map(({ reader, ...against }) => ({
      name: `host: query() of ${load.name} against the ${against.reference}`,
      unit: "lines per CPU second",
      ...against,
      measure: async () => measureRate(load.lines(), await reader()),
    })),
  ),
  {
    name: "host: memory in the second million lines of a slow reader",
    reference: "in the first million",
    better: "less",
    target: 1.25,
    unit: "MB",
    measure: measureMemory,
  },
];

async function officialReader() {
  try {
    const sdk = await import(OFFICIAL_SDK);
    return withQuery(sdk.query);
  } catch {
    throw new NotMeasured("the official SDK is not there: npm run check installs it into test/interop");
  }
}

async function measureRate(lines, reader) {
  const agent = makeAgent(lines);
  const ourReader = withQuery(query);
  try {
    const { ours, reference } = await compare(
      ROUNDS,
      () => ourReader(agent),
      () => reader(agent),
      cpuClock,
    );
    return { ours: rate(ours, agent.count), reference: rate(reference, agent.count) };
  } finally {
    agent.remove();
  }
}

/** Runs in a separate process, so that leftovers of other figures do not count. */
async function measureMemory() {
  const agent = makeAgent(deltas(20_000), 100);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      SLOW_READER,
      agent.path,
      String(agent.count),
    ]);
    const { early, late } = JSON.parse(stdout);
    return { ours: summary(late), reference: summary(early) };
  } finally {
    agent.remove();
  }
}

const rate = ({ median, min, max }, count) => ({
  median: (count / median) * 1000,
  min: (count / max) * 1000,
  max: (count / min) * 1000,
});
