import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HealthService, HealthStatus, QuestionService, SessionService } from "@agentwire/api";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, onTestFinished, test } from "vitest";
import { runMark } from "../../../../test/run-mark.ts";
import { openBench } from "./daemon-bench.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));
/** Runs a daemon on its own small disk, and starts it again when it has ended. */
const SMALL_DISK = 'mount -t tmpfs -o size=6m,mode=700 none "$0" && "$@"; exec "$@"';
/** A disk that lies: it claims more space than its image has, which only shows when it is synced. */
const LYING_DISK = `mount -t tmpfs -o size=8m,mode=700 none "$0" && truncate -s 64m "$0/image" &&
  mkfs.ext4 -q -O ^has_journal -E lazy_itable_init=1,nodiscard -N 64 "$0/image" && mkdir "$0/state" &&
  mount -o loop,nodelalloc "$0/image" "$0/state" && chmod 700 "$0/state" && { "$@"; code=$?;
  for i in 1 2 3 4 5; do umount "$0/state" && exit $code; sleep 1; done; exit 99; }`;

const canMount =
  spawnSync("unshare", ["-rm", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', tmpdir(), "true"])
    .status === 0;

interface Daemon {
  readonly state: string;
  readonly child: ChildProcess;
  readonly sessions: Client<typeof SessionService>;
  readonly questions: Client<typeof QuestionService>;
  readonly health: Client<typeof HealthService>;
  listening(): Promise<void>;
}

/** Starts a daemon in its own namespace, on the disk that a script mounts; its store is in a folder of that disk. */
function startOn(script: string, unshare: string, inner = ""): Daemon {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-ill-"));
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const home = join(disk, inner);
  const child = spawn(
    "unshare",
    [unshare, "sh", "-c", script, disk, process.execPath, PROGRAM, "daemon", "start", "--foreground"],
    {
      env: { ...runMark(), PATH: process.env.PATH, HOME: folder, AGENTWIRE_HOME: home },
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
    },
  );
  onTestFinished(async () => {
    const ended = once(child, "close");
    if (child.exitCode === null && child.signalCode === null) {
      // The shell and everything it runs.
      process.kill(-(child.pid ?? 0), "SIGKILL");
      await ended;
    }
    // An agent of a daemon that was killed may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const state = join("/proc", String(child.pid), "root", home);
  const transport = createGrpcTransport({
    baseUrl: "http://daemon",
    nodeOptions: { createConnection: () => connect(join(state, "daemon.sock")) },
  });
  return {
    state,
    child,
    sessions: createClient(SessionService, transport),
    questions: createClient(QuestionService, transport),
    health: createClient(HealthService, transport),
    async listening() {
      for (let told = ""; ; ) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the daemon has ended: ${told}`);
        told = String(value);
        if (told.includes("the daemon is listening")) return;
      }
    },
  };
}

/** The process that a shell runs. */
const programOf = ({ pid }: ChildProcess) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);

/** Leaves a few pages free: enough for a daemon to start, too few to write anything large. */
function fill(state: string): string {
  const filler = join(state, "filler");
  const { bavail, bsize } = statfsSync(state);
  writeFileSync(filler, Buffer.alloc((bavail - 12) * bsize));
  return filler;
}

const UNAVAILABLE = { rawMessage: expect.stringMatching(/^STORE_UNAVAILABLE: /) };

test.skipIf(!canMount)(
  "calls on a full disk end with an error, even the first one after a restart, and health reports it",
  async () => {
    const { state, child, sessions, questions, health, listening } = startOn(SMALL_DISK, "-rm");
    await listening();
    const { session } = await sessions.createSession({ cwd: tmpdir() });
    const sessionId = session?.id ?? "";
    await sessions.sendPrompt({ sessionId, text: "ask me: tea or coffee?" });
    const open = async () => (await questions.listQuestions({ sessionId })).questions[0];
    let question = await open();
    for (; !question; question = await open()) await setTimeout(50);
    const answers = Object.fromEntries(question.userQuestions.map(({ question: text }) => [text, "tea"]));
    const answer = { questionId: question.id, answers };

    fill(state);
    const isServing = async () => (await health.healthDetails({})).status !== HealthStatus.NOT_SERVING;
    const send = (text: string) => sessions.sendPrompt({ sessionId, text }, { timeoutMs: 10_000 });
    const met: unknown[] = [];
    while (await isServing()) met.push(await send("x".repeat(300_000)).catch((error: unknown) => error));
    expect(met.at(-1)).toMatchObject(UNAVAILABLE);
    await expect(questions.answer(answer, { timeoutMs: 5000 })).rejects.toMatchObject(UNAVAILABLE);
    await expect(send("hello?")).rejects.toMatchObject(UNAVAILABLE);

    process.kill(programOf(child), "SIGKILL");
    await listening();
    // The space used by the write-ahead log is free again.
    rmSync(join(state, "filler"));
    fill(state);
    await expect(send("x".repeat(300_000))).rejects.toMatchObject(UNAVAILABLE);
    expect((await health.healthDetails({})).store?.state).toBe("full");

    rmSync(join(state, "filler"));
    while (!(await isServing())) await setTimeout(100);
    expect((await send("hello again")).acceptedNow).toBe(true);
  },
  60_000,
);

function canLoop(): boolean {
  const place = mkdtempSync(join(tmpdir(), "agentwire-loop-"));
  const { status } = spawnSync("unshare", ["-m", "sh", "-c", LYING_DISK, place, "true"]);
  rmSync(place, { recursive: true });
  return status === 0;
}

test.skipIf(!canMount || !canLoop())(
  "a disk that fails to sync is reported, and nothing is acknowledged on it",
  async () => {
    const { state, child, sessions, health, listening } = startOn(LYING_DISK, "-m", "state");
    const under = join(state, "..", "filler");
    // The kernel does not release a disk that can't be written: make room first, then let the shell unmount it.
    onTestFinished(async () => {
      rmSync(under, { force: true });
      process.kill(programOf(child), "SIGKILL");
      await once(child, "close");
    });
    await listening();
    const { session } = await sessions.createSession({ cwd: tmpdir() });
    const sessionId = session?.id ?? "";
    // The file system under the image is full: the disk still shows free space that does not exist.
    try {
      writeFileSync(under, Buffer.alloc(8 * 1024 * 1024));
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
    const store = async () => (await health.healthDetails({})).store;
    let refused: unknown;
    for (let i = 0; i < 60 && refused === undefined; i++)
      await sessions
        .sendPrompt({ sessionId, text: "x".repeat(100_000) }, { timeoutMs: 10_000 })
        .catch((error) => {
          refused = error;
        });
    expect(refused).toMatchObject(UNAVAILABLE);
    expect((await store())?.state).not.toBe("ok");
  },
  60_000,
);

describe("the files of a store in use", () => {
  test.each(["agentwire.db", "agentwire.db-wal"])(
    "are reported missing when %s is moved away, and the daemon continues when it is back",
    async (name) => {
      const bench = openBench();
      const talk = await bench.open();
      const sessionId = await talk.create();
      const file = join(bench.folder, "state", name);
      renameSync(file, `${file}.away`);
      const send = () => talk.sessions.sendPrompt({ sessionId, text: "hello" }, { timeoutMs: 10_000 });
      await expect(send()).rejects.toMatchObject({
        rawMessage: expect.stringMatching(
          /^STORE_UNAVAILABLE: .* was deleted or replaced while the daemon was using it/,
        ),
      });
      const details = await talk.health.healthDetails({});
      expect(details.status).toBe(HealthStatus.NOT_SERVING);
      expect(details.store?.state).toBe("gone");
      renameSync(`${file}.away`, file);
      while ((await talk.health.healthDetails({})).store?.state !== "ok") await setTimeout(50);
      while (!(await send().catch(() => undefined))) await setTimeout(200);
    },
    30_000,
  );

  test("are checked even without writes, and an overwritten store is reported as corrupt", async () => {
    const bench = openBench();
    const talk = await bench.open();
    const state = async () => (await talk.health.healthDetails({})).store?.state;
    const file = join(bench.folder, "state", "agentwire.db");
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(4096));
    closeSync(handle);
    while ((await state()) === "ok") await setTimeout(50);
    expect(await state()).toBe("corrupt");
    await expect(talk.create()).rejects.toMatchObject({
      rawMessage: expect.stringMatching(/^STORE_UNAVAILABLE: .*(overwritten|damaged).*restore a backup/),
    });
  }, 30_000);
});
