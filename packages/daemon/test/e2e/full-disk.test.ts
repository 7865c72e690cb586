import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HealthService, HealthStatus, SessionService, SessionStatus } from "@agentwire/api";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMark } from "../../../../test/run-mark.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));
/** Mounts a small disk that fills up soon, in its own namespace. */
const ON_SMALL_DISK = 'mount -t tmpfs -o size=3m,mode=700 none "$0" && exec "$@"';

const canMount = spawnSync("unshare", ["-rm", "sh", "-c", ON_SMALL_DISK, tmpdir(), "true"]).status === 0;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentwire-full-"));
  mkdirSync(join(folder, "state"));
});
afterEach(async () => {
  if (child && child.exitCode === null) {
    child.kill();
    await once(child, "close");
  }
  rmSync(folder, { recursive: true });
});

test.skipIf(!canMount)(
  "a full disk is reported, nothing acknowledged is lost, and the daemon continues when there is room",
  async () => {
    const state = join(folder, "state");
    child = spawn(
      "unshare",
      ["-rm", "sh", "-c", ON_SMALL_DISK, state, process.execPath, PROGRAM, "daemon", "start", "--foreground"],
      {
        env: { ...runMark(), PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: state },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream }))
      if (line.includes("the daemon is listening")) break;
    child.stderr?.resume();
    const disk = join("/proc", String(child.pid), "root", state);
    const transport = createGrpcTransport({
      baseUrl: "http://daemon",
      nodeOptions: { createConnection: () => connect(join(disk, "daemon.sock")) },
    });
    const sessions = createClient(SessionService, transport);
    const health = createClient(HealthService, transport);
    const sessionId = (await sessions.createSession({ cwd: folder })).session?.id ?? "";
    const send = (text: string) => sessions.sendPrompt({ sessionId, text });
    const acknowledged = [await send("hello")];
    // Otherwise the agent's output hits the full disk first, and no prompt waits for room.
    while ((await sessions.getSession({ sessionId })).session?.status !== SessionStatus.IDLE)
      await setTimeout(50);

    const filler = join(disk, "filler");
    try {
      writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
    const isServing = async () => (await health.healthDetails({})).status !== HealthStatus.NOT_SERVING;
    // The prompt that hits the full disk waits for room; later ones are refused.
    const waiting: ReturnType<typeof send>[] = [];
    while (await isServing()) {
      const sent = send("x".repeat(100_000));
      sent.catch(() => {});
      waiting.push(sent);
      await setTimeout(50);
    }
    await expect(send("hello?")).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: expect.stringMatching(/^STORE_UNAVAILABLE: no space left/),
    });
    expect(await health.healthDetails({})).toMatchObject({
      status: HealthStatus.NOT_SERVING,
      store: { state: "full", message: expect.stringContaining("free some, and the daemon continues") },
    });

    rmSync(filler);
    while (!(await isServing())) await setTimeout(100);
    acknowledged.push(await send("hello again"));
    for (const outcome of await Promise.allSettled(waiting))
      if (outcome.status === "fulfilled") acknowledged.push(outcome.value);
    expect(acknowledged.length).toBeGreaterThan(2);
    const stored = new Set<string>();
    for (let fromSeq = 0n, more = true; more; ) {
      const page = await sessions.listEvents({ sessionId, fromSeq });
      for (const { body, seq } of page.events) {
        if (body.case === "userInput") stored.add(body.value.promptId);
        fromSeq = seq;
      }
      more = page.more;
    }
    for (const { promptId } of acknowledged) expect(stored).toContain(promptId);
  },
  60_000,
);
