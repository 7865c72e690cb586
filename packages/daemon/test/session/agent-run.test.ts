import { describe, expect, onTestFinished, test } from "vitest";
import { boundary } from "../../src/boundary.ts";
import { AgentRun, type RunEvents } from "../../src/session/agent-run.ts";

const LONG = 15_000;
const mark = (name: string) => JSON.stringify({ type: "keep_alive", startup_mark: name });
const question = (id: string) =>
  JSON.stringify({
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: id, input: {}, tool_use_id: "t" },
  });
const LONG_MARK = mark("x".repeat(LONG));

/** An agent that answers the handshake and writes lines in one chunk: before its answer, right after it, and on a prompt. */
function agent({ before = [], after = [], prompted = [] }: Partial<Record<string, readonly string[]>>) {
  const program = `
    const [before, after, prompted] = process.argv.slice(1).map((text) => JSON.parse(text));
    const write = (lines) => process.stdout.write(lines.map((line) => line + "\\n").join(""));
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const said = JSON.parse(line);
      if (said.type === "user") write(prompted);
      else if (said.request?.subtype === "initialize") {
        const response = { subtype: "success", request_id: said.request_id, response: {} };
        write([...before, JSON.stringify({ type: "control_response", response }), ...after]);
      }
    });`;
  const lines = [before, after, prompted].map((list) => JSON.stringify(list));
  return ["node", "-e", program, "--", ...lines] as const;
}

/** A run of such an agent, and everything its owner receives, with the line behind each. */
function running(lines: Parameters<typeof agent>[0]) {
  const heard: string[] = [];
  let count = 0;
  const run = new AgentRun(
    async ({ permissions }) => ({ command: [...agent(lines)], permissions, env: { PATH: process.env.PATH } }),
    { onLine: () => count++, onGroup: () => () => {} },
  );
  onTestFinished(() => run.close());
  let ended = () => {};
  const whenEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const events: RunEvents = {
    said: (_, line = "") => void heard.push(line),
    failed: ({ line }) => void heard.push(`bad: ${String(line)}`),
    asked: async ({ tool_name }, { line }) => {
      heard.push(`${tool_name}: ${line}`);
      return { behavior: "deny", message: "no" };
    },
    elicits: async () => ({ action: "decline" }),
    forbids: () => false,
    calls: async () => ({}),
    ended,
  };
  const failures: unknown[] = [];
  const own = (changes: Partial<RunEvents> = {}) =>
    run.own(
      boundary((error) => failures.push(error)),
      { ...events, ...changes },
    );
  const until = (isThere: () => boolean) => expect.poll(isThere, { timeout: 20_000 }).toBe(true);
  return { run, heard, own, failures, until, whenEnded, lines: () => count };
}

const TALK = [mark("1"), "noise 1", question("q1"), LONG_MARK, "noise 2", question("q2"), mark("2")];
const TOLD = [
  mark("1"),
  "bad: noise 1",
  `q1: ${question("q1")}`,
  LONG_MARK,
  "bad: noise 2",
  `q2: ${question("q2")}`,
  mark("2"),
];

describe("a run", { timeout: 30_000 }, () => {
  test("delivers messages, questions and unreadable lines in order, each with its line", async () => {
    const { run, heard, own, until, lines } = running({ prompted: TALK });
    own();
    await run.send("p", "hello", "");
    await until(() => heard.length >= TOLD.length);
    expect(heard).toEqual(TOLD);
    // The answer to the handshake counts as one, too.
    expect(lines()).toBe(6);
  });

  test("buffers what arrives before it has an owner, and denies questions asked before that", async () => {
    const { run, heard, own, until } = running({
      before: [mark("0"), "noise 0"],
      after: [mark("1"), question("q1"), mark("2")],
      prompted: [mark("3")],
    });
    await run.ready();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(heard).toEqual([]);
    own();
    await run.send("p", "hello", "");
    await until(() => heard.length >= 5);
    expect(heard).toEqual([mark("0"), "bad: noise 0", mark("1"), mark("2"), mark("3")]);
  });

  test("applies backpressure to the agent while its owner is busy, and can still be closed", async () => {
    const many = Array.from({ length: 8 }, () => LONG_MARK);
    const { run, heard, own, until, whenEnded } = running({ prompted: many });
    own({
      said: (_, line = "") => {
        heard.push(line);
        return new Promise(() => {});
      },
    });
    await run.send("p", "hello", "");
    await until(() => heard.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(heard.length).toBeLessThan(many.length);
    await run.close();
    await whenEnded;
  });

  test("delivers the rest of a chunk when it is closed while handling it", async () => {
    const { run, heard, own, whenEnded } = running({ prompted: [mark("1"), mark("2")] });
    own({
      said: (_, line = "") => {
        heard.push(line);
        void run.close();
        return undefined;
      },
    });
    await run.send("p", "hello", "");
    await whenEnded;
    expect(heard).toEqual([mark("1"), mark("2")]);
  });

  test("continues after a failure of its owner, which the boundary reports", async () => {
    const { run, own, failures, until } = running({ prompted: [mark("1"), mark("2")] });
    const failing = [() => Promise.reject(new Error("late")), () => fail("at once")];
    own({ said: () => failing.pop()?.() });
    await run.send("p", "hello", "");
    await until(() => failures.length === 2);
    expect(failures).toEqual([new Error("at once"), new Error("late")]);
  });
});

function fail(why: string): never {
  throw new Error(why);
}
