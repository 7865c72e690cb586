import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { installVersions, programOf } from "./install.ts";

const TALK = fileURLToPath(new URL("stop-talk.mjs", import.meta.url));
const NATIVE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

beforeAll(installVersions, 600_000);

/** What docs/guides/operating.md says of a prompt that waits when a daemon is stopped. */
test("a stop takes a waiting prompt back from Claude Code 2.1.325, and the next daemon has it run once", async () => {
  const said = await runInNamespace(TALK, [programOf(NATIVE)]);
  expect(said).toEqual({ seenBeforeStop: 0, seen: 1, said: ["Seen."] });
}, 240_000);
