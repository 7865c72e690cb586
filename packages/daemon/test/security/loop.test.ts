import { monitorEventLoopDelay } from "node:perf_hooks";
import { SessionService } from "@agentwire/api";
import { createClient } from "@connectrpc/connect";
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

/** The longest time that nothing else was done in meanwhile. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

test.each<[string, string, Record<string, string>]>([
  ["9 MB of a command", "Bash", { command: "a;".repeat(4_500_000) }],
  ["a command as long as is read", "Bash", { command: "nice -n 1 ".repeat(13_000) }],
  ["9 MB of a path", "Read", { file_path: "../".repeat(3_000_000) }],
  ["9 MB of a pattern", "Glob", { pattern: "a/".repeat(4_500_000) }],
])(
  "whoever may only observe can't keep the others waiting with %s",
  async (_, toolName, input) => {
    const { secret } = await victim.token("observe");
    const { rules } = victim.withToken(secret);
    const inputJson = JSON.stringify(input);
    // Reading so large a request takes its time as well, and this process sends it.
    expect(await longestWait(() => rules.explain({ toolName, inputJson }))).toBeLessThan(1500);
  },
  60_000,
);

test("sessions that one stream watches count as open requests of its token", async () => {
  const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
  const sessionId = session?.id ?? "";
  const { secret } = await victim.token("observe");
  const client = createClient(
    SessionService,
    createGrpcTransport({ baseUrl: `http://127.0.0.1:${victim.port}` }),
  );
  const stop = new AbortController();
  const commands = async function* () {
    for (let index = 0; index < 3000; index++)
      yield { requestId: String(index), command: { case: "watch" as const, value: { sessionId } } };
    await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  };
  const headers = { authorization: `Bearer ${secret}` };
  const refusals = new Set<string>();
  try {
    for await (const { message } of client.converse(commands(), { headers, signal: stop.signal })) {
      if (message.case === "done") refusals.add(message.value.errorMessage);
      if (refusals.size === 1) break;
    }
  } finally {
    stop.abort();
  }
  expect([...refusals].join()).toMatch(/^TOO_MANY: too many (?:commands per second|open requests)/);
  const live = victim.running.daemon.registry.get(sessionId);
  expect(live.journal.subscribers.size).toBeLessThanOrEqual(1000);
}, 60_000);
