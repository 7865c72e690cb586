import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { firstLine, readStream } from "./gateway/streams.mjs";
import { once, summary } from "./measure.mjs";

const AGENTWIRE = fileURLToPath(new URL("../packages/cli/bin/agentwire", import.meta.url));
const PROVIDER = fileURLToPath(new URL("gateway/provider.mjs", import.meta.url));
const STREAMS = 200;
const EVENTS = 50;
const ROUNDS = 3;

const trial = once(run);

/** The delay that the gateway adds to a stream: the same streams are read without it in the same run, and their delay is subtracted. */
export const figures = [
  {
    name: "gateway: added to an event of a stream, 200 streams of 10 events/s at once, p50",
    unit: "ms",
    target: 2,
    better: "less",
    measure: async () => ({ ours: summary((await trial()).added) }),
  },
  {
    name: "gateway: streams that are held at once and end whole, of 200",
    unit: "streams",
    target: STREAMS,
    measure: async () => ({ ours: summary((await trial()).held) }),
  },
];

async function run() {
  const provider = spawn(process.execPath, [PROVIDER], { stdio: ["ignore", "pipe", "inherit"] });
  const { port } = JSON.parse(await firstLine(provider.stdout));
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const gateway = spawn(
    process.execPath,
    [AGENTWIRE, "gateway", "--port", String(await freePort()), "--json"],
    {
      env: { ...process.env, AGENTWIRE_PROVIDERS: JSON.stringify({ bench: { baseUrl } }) },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const { url, token } = JSON.parse(await firstLine(gateway.stdout));
    const through = () => round(`${url}/v1/messages`, token);
    const direct = () => round(`${baseUrl}/chat/completions`, "");
    const [added, held] = [[], []];
    await direct();
    await through();
    for (let i = 0; i < ROUNDS; i++) {
      const without = await direct();
      const { p50, whole } = await through();
      added.push(p50 - without.p50);
      held.push(whole);
    }
    return { added, held };
  } finally {
    provider.kill();
    gateway.kill();
  }
}

/** Reads all streams at once; returns the median delay of all events, and the number of complete streams. */
async function round(url, token) {
  const body = {
    model: "bench/paced",
    max_tokens: EVENTS,
    stream: true,
    messages: [{ role: "user", content: "go" }],
  };
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => readStream(url, token, body)));
  const delays = streams.flat().sort((a, b) => a - b);
  return { p50: delays[delays.length >> 1], whole: streams.filter(({ length }) => length === EVENTS).length };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
