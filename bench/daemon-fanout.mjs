import { withBareFanout } from "./daemon/bare.mjs";
import { withTrial } from "./daemon/trial.mjs";
import { decode, watch } from "./daemon/watcher.mjs";
import { alternate, once, summary } from "./measure.mjs";

const ROUNDS = 5;
const SECONDS = 2;
/** The number of deliveries per second, and of deliveries in a flood, for large numbers of clients. */
const PACE = 3000;
const FLOOD = 200_000;
const MOST_PER_SECOND = 200;
const BUSY = { clients: 300, perSecond: 10, seconds: 10 };

/** How soon and how fast one session reaches its clients, compared with a program that only appends lines to a file and passes them on. */
export const figures = [
  ...[1, 10, 100, 300].flatMap((clients) => {
    const measured = once(() => fanOut(clients));
    const who = `${clients} ${clients === 1 ? "client" : "clients"}`;
    const reference = "file + fdatasync + HTTP/2";
    const of = (field) => ({ reference, measure: async () => (await measured())[field] });
    return [
      { name: `fan-out to ${who}, p50`, unit: "ms", target: 4, better: "less", ...of("p50") },
      { name: `fan-out to ${who}, p99`, unit: "ms", target: 4, better: "less", ...of("p99") },
      { name: `fan-out of a flood to ${who}`, unit: "lines/s", target: 0.25, ...of("rate") },
    ];
  }),
  {
    name: `CPU at ${BUSY.clients} clients × ${BUSY.perSecond} events/s`,
    unit: "% of a core",
    target: 10,
    better: "less",
    measure: cpu,
  },
].map(({ name, ...figure }) => ({ name: `daemon: ${name}`, ...figure }));

const fanOut = (clients) =>
  withBareFanout((bare) =>
    withTrial({}, async (trial) => {
      const sessionId = await trial.create();
      const prompt = (text) => trial.sessions.sendPrompt({ sessionId, text });
      const [ours, reference] = await Promise.all([
        crowd({ socketPath: trial.socketPath, sessionId, prompt }, clients),
        crowd({ ...bare, sessionId }, clients),
      ]);
      const perSecond = Math.min(MOST_PER_SECOND, PACE / clients);
      const both = async (run) => {
        const samples = await alternate(
          ROUNDS,
          () => run(ours),
          () => run(reference),
        );
        return (of) => ({
          ours: summary(samples.ours.map(of)),
          reference: summary(samples.reference.map(of)),
        });
      };
      const paced = await both((one) => one.turn({ lines: perSecond * SECONDS, perSecond }));
      const flooded = await both((one) => one.turn({ lines: Math.min(50_000, FLOOD / clients) }));
      for (const { leave } of [ours, reference]) leave();
      return {
        p50: paced(({ delays }) => quantile(delays, 0.5)),
        p99: paced(({ delays }) => quantile(delays, 0.99)),
        rate: flooded(({ perSecond: rate }) => rate),
      };
    }),
  );

/** The clients of one session; `turn` makes its agent stream, and returns the delay of each delta at each client and the rate per second. */
async function crowd({ socketPath, sessionId, prompt }, clients) {
  let delays = [];
  let over = () => {};
  let ended = 0;
  const take = (bytes) => {
    const { times, isEnd } = said(bytes);
    const now = performance.timeOrigin + performance.now();
    for (const time of times) delays.push(now - time);
    if (isEnd && ++ended === clients) over();
  };
  let stops = [];
  await Promise.all(
    Array.from(
      { length: clients },
      () => new Promise((onOpen) => stops.push(watch(socketPath, sessionId, take, { onOpen }))),
    ),
  );
  const turn = async ({ lines, perSecond }) => {
    delays = [];
    ended = 0;
    const finished = new Promise((resolve) => {
      over = resolve;
    });
    const began = performance.now();
    await prompt(JSON.stringify({ lines, perSecond }));
    await finished;
    return { delays, perSecond: (lines / (performance.now() - began)) * 1000 };
  };
  const leave = () => {
    for (const stop of stops) stop();
    stops = [];
  };
  return { turn, leave };
}

/** All clients receive the same bytes; decoding them only once keeps most of the clients' cost out of the measurement. */
let last = { bytes: Buffer.alloc(0), times: [], isEnd: false };

function said(bytes) {
  if (last.bytes.equals(bytes)) return last;
  const bodies = decode(bytes).events.map(({ body }) => body);
  const times = bodies.filter((body) => body.case === "textDelta").map(({ value }) => Number(value.text));
  last = { bytes: Buffer.from(bytes), times, isEnd: bodies.some((body) => body.case === "turnComplete") };
  return last;
}

function quantile(values, part) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];
}

async function cpu() {
  const { clients, perSecond, seconds } = BUSY;
  return withTrial({}, async (trial) => {
    const sessionId = await trial.create();
    const prompt = (text) => trial.sessions.sendPrompt({ sessionId, text });
    const { turn, leave } = await crowd({ socketPath: trial.socketPath, sessionId, prompt }, clients);
    // The start of an agent and code that is not compiled yet must not be measured.
    await turn({ lines: 2 * perSecond, perSecond });
    const before = await trial.cpuSeconds();
    const began = performance.now();
    await turn({ lines: seconds * perSecond, perSecond });
    const spent = (await trial.cpuSeconds()) - before;
    const share = (spent / (performance.now() - began)) * 1000 * 100;
    leave();
    return { ours: summary([share]) };
  });
}
