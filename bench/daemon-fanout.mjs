import { withTrial } from "./daemon/trial.mjs";
import { decode, untilTurnEnds, watch } from "./daemon/watcher.mjs";
import { once, summary } from "./measure.mjs";

const PER_SECOND = 10;
const SECONDS = 8;
/** How many deliveries a flood leads to, whatever the number of clients. */
const DELIVERIES = 600_000;
const FLOODS = 3;

/** How many clients one session reaches, how soon, and at what cost: the machine's own limits are the target, so these are absolute. */
export const figures = [
  { clients: 1, p50: 2, p99: 10, rate: 20_000 },
  { clients: 10, p50: 3, p99: 15, rate: 20_000 },
  { clients: 100, p50: 6, p99: 20, rate: 3000 },
  { clients: 300, p50: 12, p99: 30, rate: 1000 },
]
  .flatMap(({ clients, p50, p99, rate }) => {
    const pacedOnce = once(() => paced(clients));
    const of = (field) => async () => ({ ours: (await pacedOnce())[field] });
    const who = `${clients} ${clients === 1 ? "client" : "clients"}`;
    const less = { better: "less" };
    return [
      {
        name: `CPU at ${who} × ${PER_SECOND} events/s`,
        unit: "% of a core",
        target: 10,
        ...less,
        measure: of("cpu"),
      },
      { name: `fan-out to ${who}, p50`, unit: "ms", target: p50, ...less, measure: of("p50") },
      { name: `fan-out to ${who}, p99`, unit: "ms", target: p99, ...less, measure: of("p99") },
      {
        name: `fan-out of a flood to ${who}`,
        unit: "lines/s",
        target: rate,
        measure: () => flooded(clients),
      },
    ];
  })
  .map(({ name, ...figure }) => ({ name: `daemon: ${name}`, ...figure }));

/** From the moment at which the agent writes a line to the one at which each client has it. */
async function paced(clients) {
  return withTrial({}, async (trial) => {
    const id = await trial.create();
    let delays = [];
    const stops = Array.from({ length: clients }, () =>
      watch(
        trial.socketPath,
        id,
        delayOf((ms) => delays.push(ms)),
      ),
    );
    await trial.attended(clients);
    // The start of an agent, and code that is not compiled yet, are not what is measured.
    await turn(trial, id, 2);
    delays = [];
    const before = await trial.cpuSeconds();
    const began = performance.now();
    await turn(trial, id, SECONDS);
    const spent = (await trial.cpuSeconds()) - before;
    const seconds = (performance.now() - began) / 1000;
    for (const stop of stops) stop();
    if (delays.length < clients * PER_SECOND * SECONDS) throw new Error("clients have missed events");
    delays.sort((a, b) => a - b);
    const quantile = (part) => summary([delays[Math.floor(delays.length * part)]]);
    return { cpu: summary([(spent / seconds) * 100]), p50: quantile(0.5), p99: quantile(0.99) };
  });
}

/** All clients get the same bytes: decoding them once keeps what the clients cost out of what is measured. */
let last = { bytes: Buffer.alloc(0), times: [] };

function delayOf(tell) {
  return (bytes) => {
    const now = performance.timeOrigin + performance.now();
    if (!last.bytes.equals(bytes)) last = { bytes: Buffer.from(bytes), times: [...timesIn(bytes)] };
    for (const time of last.times) tell(now - time);
  };
}

function* timesIn(bytes) {
  for (const { body } of decode(bytes).events) if (body.case === "textDelta") yield Number(body.value.text);
}

/** A turn of so many seconds; resolves when it is over. */
async function turn(trial, sessionId, seconds) {
  const { lastSeq } = (await trial.sessions.getSession({ sessionId })).session;
  const ended = untilTurnEnds(trial.socketPath, sessionId, lastSeq);
  const text = JSON.stringify({ lines: seconds * PER_SECOND, perSecond: PER_SECOND });
  await trial.sessions.sendPrompt({ sessionId, text });
  await ended;
}

/** As fast as the daemon takes them, until the last client has the last one. */
async function flooded(clients) {
  const lines = Math.min(100_000, DELIVERIES / clients);
  return withTrial({}, async (trial) => {
    const rates = [];
    for (let round = 0; round <= FLOODS; round++) {
      const sessionId = await trial.create();
      const watching = Array.from({ length: clients }, () => untilTurnEnds(trial.socketPath, sessionId));
      await trial.attended(clients);
      const began = performance.now();
      await trial.sessions.sendPrompt({ sessionId, text: JSON.stringify({ lines }) });
      await Promise.all(watching);
      // The first round finds nothing compiled yet.
      if (round > 0) rates.push((lines / (performance.now() - began)) * 1000);
      await trial.attended(0);
    }
    return { ours: summary(rates) };
  });
}
