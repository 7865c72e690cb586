import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Event } from "@agentwire/api";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openBench } from "../../packages/daemon/test/e2e/daemon-bench.ts";
import { installPackages } from "../install.ts";
import { startMessagesApi } from "../versions/messages-api.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const AGENT = here("../../packages/agent/bin/agentwire-agent");
const ADAPTER = here("node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js");
const ACPX = here("node_modules/acpx/dist/cli.js");

const texts = (events: readonly Event[]) =>
  events.flatMap(({ body }) => (body.case === "text" ? [body.value.text] : []));

describe("third-party programs", { timeout: 120_000 }, () => {
  // The official agent's binaries are not installed: the adapter runs our agent.
  beforeAll(() => installPackages(here("."), ["--omit=optional"]), 300_000);

  test("Claude's adapter runs through a daemon: a prompt, a question, a cancellation, the next turn, and a restart", async () => {
    const api = await startMessagesApi({
      "say-hello": { text: "Hello there." },
      "make-a-file": { tool: { name: "Bash", input: { command: "touch made.txt", description: "Make it" } } },
      tool_result: { text: "That is done." },
      "talk-for-long": { text: "word ", pieces: 600, pauseMs: 50 },
      "what-did-I-say": { text: "I remember." },
    });
    onTestFinished(() => void api.close());
    const bench = openBench();
    const env = {
      CLAUDE_CODE_EXECUTABLE: AGENT,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: "test-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const agents = [{ name: "adapter", path: ADAPTER, dialect: "acp" as const, env }];
    const talk = await bench.open({ agents });
    const id = await talk.create();
    expect(texts((await talk.turn(id, "say-hello")).events)).toEqual(["Hello there."]);
    const made = await talk.turn(id, "make-a-file", async ({ body }) => {
      if (body.case !== "permissionAsked") return;
      const questionId = body.value.question?.id ?? "";
      await talk.questions.decide({ questionId, decision: { case: "allow", value: {} } });
    });
    expect(made.of("toolCallStart")).toMatchObject([{ name: "Bash" }]);
    expect(made.of("permissionAsked")).toMatchObject([{ question: { toolName: "Bash" } }]);
    expect(existsSync(join(bench.project, "made.txt"))).toBe(true);
    let isCut = false;
    const cut = await talk.turn(id, "talk-for-long", async ({ body }) => {
      if (body.case !== "textDelta" || isCut) return;
      isCut = true;
      await talk.sessions.interrupt({ sessionId: id });
    });
    expect(cut.of("turnComplete")).toMatchObject([{ isError: true, terminalReason: "aborted_streaming" }]);
    expect(texts((await talk.turn(id, "say-hello")).events)).toEqual(["Hello there."]);
    await talk.running.stop();
    const later = await bench.open({ agents });
    expect(texts((await later.turn(id, "what-did-I-say")).events)).toEqual(["I remember."]);
  });

  test("acpx drives agentwire-agent --acp: a prompt with a tool and a question", async () => {
    const bench = openBench();
    const args = [ACPX, "--agent", `${AGENT} --acp`, "--approve-all", "exec", "run `touch acpx-made`"];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: bench.project,
      env: { PATH: process.env.PATH, HOME: bench.folder },
    });
    expect(stdout).toContain("[done] end_turn");
    expect(existsSync(join(bench.project, "acpx-made"))).toBe(true);
  });
});
