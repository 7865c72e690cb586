import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { Home } from "./home.ts";

/** A server with two models, listed as by Ollama. */
const server = createServer((_, response) =>
  response.end(JSON.stringify({ object: "list", data: [{ id: "qwen3-coder:30b" }, { id: "llama3.3" }] })),
);
let address: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close().closeAllConnections());

/** A stand-in for the official agent. */
function installClaude(home: Home): string {
  const folder = join(home.folder, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "claude"), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n', { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

interface Start {
  readonly finds: string;
  readonly env: (home: Home) => NodeJS.ProcessEnv;
  /** In this order. */
  readonly says: readonly string[];
  readonly never?: string;
}

const NO_KEY = "No key for Claude is set, so sessions that name no model get the offline demo";

const STARTS: readonly Start[] = [
  {
    finds: "nothing",
    env: () => ({}),
    says: [
      NO_KEY,
      "no other model: no other key, no server such as Ollama, no claude on PATH",
      "export ANTHROPIC_API_KEY=",
    ],
    never: "agentwire run --model",
  },
  {
    finds: "a running Ollama",
    env: () => ({ OLLAMA_HOST: address }),
    says: [
      NO_KEY,
      "/v1: qwen3-coder:30b, llama3.3",
      'agentwire run --model ollama/qwen3-coder:30b "list the files here"',
    ],
  },
  {
    finds: "a working and an unreachable provider",
    env: () => ({
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: `http://${address}/v1`,
      VLLM_BASE_URL: "http://127.0.0.1:9/v1",
    }),
    says: [
      NO_KEY,
      "openai at http://",
      "vllm: could not reach vllm at http://127.0.0.1:9/v1",
      "agentwire run --model openai/qwen3-coder:30b",
    ],
  },
  {
    finds: "claude on PATH, not signed in",
    env: (home) => ({ PATH: installClaude(home) }),
    says: [NO_KEY, "claude, the official agent: /", 'agentwire run --agent claude "list the files here"'],
  },
  {
    finds: "claude on PATH, signed in",
    env: (home) => ({ PATH: installClaude(home), ANTHROPIC_API_KEY: "key" }),
    says: ["Sessions use claude, the official agent"],
    never: NO_KEY,
  },
];

test.concurrent.for(STARTS)(
  "the first start at a terminal that finds $finds reports it and the next step",
  { timeout: 120_000 },
  async ({ env, says, never }, { expect, onTestFinished }) => {
    const home = new Home();
    onTestFinished(() => home.end());
    const sitting = home.sit(["daemon", "start", "--foreground"], env(home));
    await sitting.see("The daemon listens on");
    for (const text of says) await sitting.see(text);
    sitting.type("\x03");
    expect(await sitting.end()).toBe(0);
    if (never !== undefined) expect(sitting.all).not.toContain(never);
    // Everything fits one screen, including the lines about the daemon itself.
    expect(sitting.all.split("\n").length).toBeLessThan(40);
  },
);
