import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runMark } from "../../../../test/run-mark.ts";
import { openBench, ownAgent } from "./daemon-bench.ts";

const PROGRAM = fileURLToPath(new URL("../../../cli/bin/agentwire", import.meta.url));
/** Makes a file or a folder read-only, even for root, in its own namespace. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

const canMount = spawnSync("unshare", ["-rm", "sh", "-c", READ_ONLY, process.execPath, "true"]).status === 0;

test.skipIf(!canMount).each([
  ["file", "agentwire.db", /agentwire\.db is not writable: check the permissions of the file and its folder/],
  ["folder", ".", /state can't be used: .*read-only/],
])(
  "a read-only %s is reported at startup, and the store is intact once it is writable again",
  async (_, name, expected) => {
    const bench = openBench();
    const agents = [ownAgent(bench, [{ text: "Remember the milk." }, { text: "The milk." }])];
    const first = await bench.open({ agents });
    const id = await first.create();
    await first.turn(id, "hello");
    const before = await first.sessions.listEvents({ sessionId: id });
    await first.running.stop();

    const state = join(bench.folder, "state");
    const args = [PROGRAM, "daemon", "start", "--foreground"];
    const child = spawn(
      "unshare",
      ["-rm", "sh", "-c", READ_ONLY, join(state, name), process.execPath, ...args],
      {
        env: { ...runMark(), PATH: process.env.PATH, HOME: bench.folder, AGENTWIRE_HOME: state },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const [told, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(code).toBeGreaterThan(0);
    expect(told).toMatch(expected);

    const second = await bench.open({ agents });
    const after = await second.sessions.listEvents({ sessionId: id });
    expect(after.events.slice(0, before.events.length)).toEqual(before.events);
    await second.turn(id, "and?");
  },
  60_000,
);
