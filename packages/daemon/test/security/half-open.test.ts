import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVictim, type Victim } from "./victim.ts";

let victim: Victim;
beforeAll(async () => {
  victim = await openVictim();
});
afterAll(() => victim.end());

/** The kinds of timers on the daemon's connections: "02" is a keepalive timer. */
const timers = () => {
  const port = victim.port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(`:${port}`) && state === "01")
    .map(([, , , , , timer = ""]) => timer.slice(0, 2));
};

test.skipIf(process.platform !== "linux")(
  "the connection of a watcher is probed, in case its machine vanished",
  async () => {
    const { sessions } = victim.withToken((await victim.token("observe")).secret);
    const { session } = await victim.owner.sessions.createSession({ cwd: victim.folder });
    const left = new AbortController();
    const watching = sessions.watch({ sessionId: session?.id ?? "" }, { signal: left.signal });
    await watching[Symbol.asyncIterator]().next();
    await expect.poll(() => timers()).toContain("02");
    left.abort();
  },
  30_000,
);
