import * as host from "@agentwire/host";
import { describe, expect, test, vi } from "vitest";
import { CALLS } from "./host/calls.ts";
import { type Recorded, record, type Sdk } from "./host/record.ts";
import { sdk as official } from "./official-sdk.ts";

vi.setConfig({ testTimeout: 60_000, maxConcurrency: 4 });

type Part = keyof Recorded;

/** Where we differ on purpose, and why. A listed difference that no longer exists fails the test as well. */
const KNOWN: Readonly<Record<string, { readonly part: Part; readonly reason: string }>> = {
  "canUseTool that throws": {
    part: "lines",
    reason: "a handler that throws denies with its reason, where the official SDK answers with an error",
  },
  "hooks of an unknown id": { part: "lines", reason: "the same refusal in our own words" },
  "mcpServers here with an invalid input": {
    part: "lines",
    reason: "a later release of the MCP library words it differently",
  },
  "no canUseTool": { part: "lines", reason: "a question without a handler is denied, not an error" },
};

const bySdk = official as unknown as Sdk;

describe.concurrent("both SDKs start the agent in the same way and write the same to it", () => {
  test.each(Object.entries(CALLS))("with %s", async (name, call) => {
    const [ours, theirs] = await Promise.all([record(host, call), record(bySdk, call)]);
    const known = KNOWN[name]?.part;
    for (const part of ["argv", "env", "lines", "given"] as const) {
      if (part === known) expect(ours[part], name).not.toEqual(theirs[part]);
      else expect(ours[part], `${name}: ${part}`).toEqual(theirs[part]);
    }
  });
});
