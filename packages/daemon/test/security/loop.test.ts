import { connect } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { SessionService } from "@agentwire/api";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVictim, type Victim } from "./victim.ts";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
  await victim.owner.rules.setRule({ rule: "Bash(rm:*)", behavior: 3, scope: 3 });
  await victim.owner.rules.setRule({ rule: "Read(.env)", behavior: 3, scope: 3 });
}, 30_000);
afterAll(() => victim.end());

/** The longest time in ms for which the event loop was blocked. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

test.each<[string, string, Record<string, string>]>([
  ["a command of 9 MB", "Bash", { command: "a;".repeat(4_500_000) }],
  ["the longest command that is parsed", "Bash", { command: "nice -n 1 ".repeat(13_000) }],
  ["a path of 9 MB", "Read", { file_path: "../".repeat(3_000_000) }],
  ["a pattern of 9 MB", "Glob", { pattern: "a/".repeat(4_500_000) }],
])(
  "a client that may only observe can't block the daemon with %s",
  async (_, toolName, input) => {
    const { secret } = await victim.token("observe");
    const { rules } = victim.withToken(secret);
    const inputJson = JSON.stringify(input);
    // Parsing such a large request takes time as well, and this process also sends it.
    expect(await longestWait(() => rules.explain({ toolName, inputJson }))).toBeLessThan(1500);
  },
  60_000,
);

/** Watches one session repeatedly on one stream until a watch is refused; returns the error message. */
async function watchManyTimes(
  client: Client<typeof SessionService>,
  sessionId: string,
  times: number,
  headers: Record<string, string> = {},
): Promise<string> {
  const stop = new AbortController();
  const commands = async function* () {
    for (let index = 0; index < times; index++)
      yield { requestId: String(index), command: { case: "watch" as const, value: { sessionId } } };
    await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  };
  try {
    for await (const { message } of client.converse(commands(), { headers, signal: stop.signal }))
      if (message.case === "done") return message.value.errorMessage;
    return "";
  } finally {
    stop.abort();
  }
}

async function newSession() {
  const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
  return session?.id ?? "";
}

test("sessions watched on one stream count as open requests of its token", async () => {
  const sessionId = await newSession();
  const { secret } = await victim.token("observe");
  const client = createClient(
    SessionService,
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${victim.port}` }),
  );
  const refusal = await watchManyTimes(client, sessionId, 3000, { authorization: `Bearer ${secret}` });
  expect(refusal).toMatch(/^TOO_MANY: too many (?:commands per second|open requests)/);
  const live = await victim.running.daemon.registry.get(sessionId);
  expect(live.journal.subscribers.size).toBeLessThanOrEqual(1000);
}, 60_000);

test("on the socket, too, one stream can watch a limited number of sessions, without a listener leak warning", async () => {
  const warnings: string[] = [];
  const warned = ({ name }: Error) => warnings.push(name);
  process.on("warning", warned);
  const sessionId = await newSession();
  const { socketPath } = victim.running.daemon.config;
  const nodeOptions = { createConnection: () => connect(socketPath) };
  const transport = createGrpcTransport({ baseUrl: "http://localhost", nodeOptions });
  const refusal = await watchManyTimes(createClient(SessionService, transport), sessionId, 2100);
  process.off("warning", warned);
  expect(refusal).toContain("TOO_MANY: too many open requests");
  expect(warnings).toEqual([]);
}, 60_000);
