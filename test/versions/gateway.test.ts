import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { installOfficialSdk } from "../interop/install.ts";
import { agentOf, installVersions, NATIVE } from "./install.ts";

const TALK = fileURLToPath(new URL("gateway-talk.mjs", import.meta.url));
const MODEL = "scripted/tiny";

beforeAll(() => Promise.all([installVersions(), installOfficialSdk()]), 600_000);

/** What docs/guides/gateway.md promises. */
test("Claude Code 2.1.325 runs a tool-using session of the official SDK through the gateway, on a model behind Chat Completions", async () => {
  const agent = await agentOf(NATIVE);
  expect(await runInNamespace(TALK, [agent], agent)).toEqual({
    model: MODEL,
    replied: [MODEL],
    used: [MODEL],
    thought: ["I use a tool.", "I use a tool."],
    called: ["Write", "Bash"],
    asked: ["Write"],
    streamsInput: true,
    file: "written through the gateway\n",
    isResultSeen: true,
    result: "The note says: written through the gateway.",
    isError: false,
    unnamed: MODEL,
    failures: [],
  });
}, 480_000);
