import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { runInNamespace } from "../../bench/agent/namespace.mjs";
import { isolationOf } from "../../packages/daemon/src/isolation/isolation-settings.ts";
import { debianProgram } from "../debian.ts";
import { installOfficialSdk } from "../interop/install.ts";
import { agentOf, installVersions, NATIVE } from "./install.ts";
import { runTalk } from "./talk.ts";

debianProgram("bubblewrap", ["/usr/bin/bwrap"]);
debianProgram("socat", ["/usr/bin/socat"]);

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

/** What docs/guides/gateway.md promises for agents of the daemon. */
test("the daemon's agents use a provider's model through its gateway, also in a sandbox, and their cost follows the provider's prices", async () => {
  const sandbox = isolationOf(true, "/");
  const said = await runTalk("daemon-gateway-talk.mjs", await agentOf(NATIVE), [JSON.stringify(sandbox)]);
  // Two calls of 1000 input tokens (500 of them cached) and 100 output tokens, at the prices in the settings.
  const cost = expect.closeTo(0.007, 6);
  expect(said).toEqual({
    priced: { texts: ["Written."], asked: ["Write"], errors: [], models: [["shop/coder", 2000, cost]] },
    isWritten: true,
    unpriced: { texts: ["Another model."], asked: [], errors: [], models: [["shop/other", 1000, "unknown"]] },
    boxed: {
      texts: ["From inside."],
      asked: [],
      errors: [],
      models: [["shop/coder", 1000, expect.closeTo(0.0035, 6)]],
    },
    booked: [
      ["shop/coder", expect.closeTo(0.0105, 6)],
      ["shop/other", "unknown"],
    ],
    offered: true,
    listed: ["shop/coder"],
    calls: [
      "/v1/chat/completions Bearer key-for-shop coder",
      "/v1/chat/completions Bearer key-for-shop other",
    ],
  });
}, 480_000);
