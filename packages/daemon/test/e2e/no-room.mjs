// Stops a daemon's store from growing for a while, as a quota would, and prints the outcome as JSON.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { HealthStatus, SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "./open-daemon.mjs";

const [, , root] = process.argv;
const home = join(root, "home");
mkdirSync(home);
const env = { PATH: process.env.PATH, HOME: home, AGENTWIRE_HOME: join(root, "state") };
const config = { ...defaultConfig(env, home), agents: [{ name: "own" }], spareProcesses: 0 };

const out = {};
const first = await openDaemon(config);
const { session } = await first.sessions.createSession({ cwd: home });
const sessionId = session.id;

// A write beyond the file size limit raises a signal first, which would end the process.
process.on("SIGXFSZ", () => {});
const LIMITER = "prlimit";
const limitFiles = (bytes) => execFileSync(LIMITER, ["--pid", String(process.pid), `--fsize=${bytes}:`]);
limitFiles(2_000_000);
const acknowledged = [];
for (let i = 0; i < 1000; i++) {
  try {
    const text = `prompt ${i} ${"x".repeat(20_000)}`;
    acknowledged.push((await first.sessions.sendPrompt({ sessionId, text }, { timeoutMs: 3000 })).promptId);
  } catch {
    break;
  }
}
out.acknowledged = acknowledged.length;
const stateOf = async ({ health }) => (await health.healthDetails({})).store.state;
while ((await stateOf(first)) !== "full") await setTimeout(50);
out.stateWhenFull = "full";
out.statusWhenFull = HealthStatus[(await first.health.healthDetails({})).status];
out.refusedWhenFull = await first.sessions.sendPrompt({ sessionId, text: "one more" }).then(
  () => false,
  () => true,
);

limitFiles("unlimited");
while ((await stateOf(first)) !== "ok") await setTimeout(50);
out.stateAfterwards = "ok";
await first.running.stop();

const second = await openDaemon(config);
const stored = new Set();
for (let fromSeq = 0n; ; ) {
  const { events, more } = await second.sessions.listEvents({ sessionId, fromSeq, pageSize: 100 });
  for (const { body } of events) if (body.case === "userInput") stored.add(body.value.promptId);
  if (!more) break;
  fromSeq = events.at(-1).seq;
}
out.lost = acknowledged.filter((id) => !stored.has(id));
const { session: another } = await second.sessions.createSession({ cwd: home, prompt: "hello" });
for await (const { events } of second.sessions.watch({ sessionId: another.id })) {
  out.turnAfterwards = events.some(({ body }) => body.case === "turnComplete");
  if (out.turnAfterwards) break;
  if (events.some(({ body }) => body.value?.status === SessionStatus.FAILED)) break;
}
await second.running.stop();
process.stdout.write(JSON.stringify(out), () => process.exit(0));
