import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { alternate, summary } from "../measure.mjs";
import { withAgent } from "./driver.mjs";
import { residentMemory } from "./memory.mjs";
import { text, toolUse } from "./messages-api.mjs";

const OURS = fileURLToPath(new URL("../../packages/agent/bin/agentwire-agent", import.meta.url));
const ROUNDS = 7;
const TURNS = 50;
const CALLS = 50;
const SANDBOX_CALLS = 15;
/** The minimum time that a model takes before it requests the next call. */
const THINKING_MS = 150;
const DELTAS = 20_000;
/** Memory is read after the work that follows a turn is done. */
const SETTLE_MS = 500;

const sayHello = () => [text("hello ", "there")];

/** The comparisons: each runs a program and measures it once. */
const MEASUREMENTS = {
  start: (program) =>
    withAgent(program, { reply: sayHello }, async (agent) => {
      await turn(agent);
      return { result: performance.now() - agent.startedAt };
    }),

  turns: (program) =>
    withAgent(program, { reply: sayHello }, async (agent) => {
      await agent.initialize();
      await turn(agent);
      await setTimeout(SETTLE_MS);
      const memoryAfter1 = residentMemory(agent.pid);
      const times = [];
      for (let i = 1; i < TURNS; i++) times.push(await turn(agent));
      await setTimeout(SETTLE_MS);
      return { memoryAfter1, memoryAfter50: residentMemory(agent.pid), turn: summary(times).median };
    }),

  bash: (program) => {
    let calls = 0;
    const reply = () =>
      calls++ < CALLS ? [toolUse("Bash", { command: "true", description: "Nothing" })] : sayHello();
    return withAgent(program, { reply, flags: ["--permission-mode", "bypassPermissions"] }, async (agent) => {
      await agent.initialize();
      const begun = agent.next((line) => line.type === "system" && line.subtype === "init");
      const result = agent.ask("go");
      await begun;
      const start = performance.now();
      const { num_turns } = await result;
      if (num_turns !== CALLS + 1) throw new Error(`${program} made ${num_turns - 1} calls of ${CALLS}`);
      return { call: (performance.now() - start) / CALLS };
    });
  },

  sandbox: () => bashCallIn({ enabled: true, autoAllowBashIfSandboxed: true, failIfUnavailable: true }),

  stream: (program) => {
    const reply = () => [text(...Array(DELTAS).fill("word "))];
    return withAgent(program, { reply, flags: ["--include-partial-messages"] }, async (agent) => {
      await agent.initialize();
      await turn(agent);
      const { count, first, last } = agent.streamed;
      if (count < DELTAS) throw new Error(`${program} sent ${count} events of ${DELTAS}`);
      return { rate: (count / (last - first)) * 1000 };
    });
  },
};

/** From the line with a Bash call to the line with its result. The model waits a moment before each call. */
function bashCallIn(sandbox) {
  let calls = 0;
  const reply = () =>
    calls++ % 2 === 0 ? [toolUse("Bash", { command: "echo hi", description: "Greet" })] : sayHello();
  const flags = ["--permission-mode", "bypassPermissions", "--settings", JSON.stringify({ sandbox })];
  return withAgent(OURS, { reply, flags }, async (agent) => {
    const times = [];
    for (let i = 0; i < SANDBOX_CALLS; i++) {
      const called = agent.next((line) => line.type === "assistant");
      const returned = agent.next((line) => line.type === "user");
      const result = agent.ask("go");
      await called;
      const start = performance.now();
      const { message } = await returned;
      times.push(performance.now() - start);
      if (message.content[0].content !== "hi")
        throw new Error(`a command said ${message.content[0].content}`);
      await result;
      await setTimeout(THINKING_MS);
    }
    return { call: summary(times).median };
  });
}

/** The time from the prompt to its result, in milliseconds. */
async function turn(agent) {
  const start = performance.now();
  const { is_error, result } = await agent.ask("hi");
  if (is_error) throw new Error(`a turn failed: ${result}`);
  return performance.now() - start;
}

console.log(JSON.stringify(await run(process.argv[2], process.argv[3])));

async function run(name, official) {
  if (name === "history") return longHistory([]);
  if (name === "database") return longHistory(["--stdio", "--db", "agent.db", "--consolidate-after", "0"]);
  if (name === "sandbox") return sandboxCost();
  if (name === "chat") return otherWire();
  const measure = MEASUREMENTS[name];
  return columns(
    await alternate(
      ROUNDS,
      () => measure(OURS),
      () => measure(official),
    ),
  );
}

/** The time that the sandbox adds to a call, for each round. */
async function sandboxCost() {
  const { ours, reference } = await alternate(ROUNDS, MEASUREMENTS.sandbox, () => bashCallIn({}));
  return { call: { ours: summary(ours.map(({ call }, at) => call - reference[at].call)) } };
}

/** Converts a list of measurements with several values each to a summary of each value. */
function columns({ ours, reference }) {
  const of = (rows, name) => summary(rows.map((row) => row[name]));
  return Object.fromEntries(
    Object.keys(ours[0]).map((name) => [name, { ours: of(ours, name), reference: of(reference, name) }]),
  );
}

/**
 * Compares a process with many turns in its history with one with few, alternating turns. Both have run equally long, so they differ only
 * in the history and not in how well the code is optimized.
 */
function longHistory(flags) {
  return withAgent(OURS, { reply: sayHello, flags }, (long) =>
    withAgent(OURS, { reply: sayHello, flags }, async (short) => {
      await Promise.all([turns(long, 1000), turns(short, 1000)]);
      await short.ask("/clear");
      await turns(short, 10);
      const { ours, reference } = await alternate(
        10 * ROUNDS,
        () => turn(long),
        () => turn(short),
      );
      const memory = (agent) => summary([residentMemory(agent.pid)]);
      return {
        turn: { ours: summary(ours), reference: summary(reference) },
        memory: { ours: memory(long), reference: memory(short) },
      };
    }),
  );
}

/** Compares a process whose model speaks Chat Completions with one whose model speaks the Messages API, alternating turns. */
function otherWire() {
  return withAgent(OURS, { reply: sayHello, flags: ["--model", "ollama/bench"] }, (chat) =>
    withAgent(OURS, { reply: sayHello }, async (messages) => {
      await Promise.all([turns(chat, TURNS), turns(messages, TURNS)]);
      const { ours, reference } = await alternate(
        10 * ROUNDS,
        () => turn(chat),
        () => turn(messages),
      );
      return { turn: { ours: summary(ours), reference: summary(reference) } };
    }),
  );
}

async function turns(agent, count) {
  for (let i = 0; i < count; i++) await turn(agent);
}
