import { setTimeout as delay } from "node:timers/promises";
import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import { describe, expect, test } from "vitest";
import * as host from "../../packages/host/src/index.ts";
import { userMessage } from "./live.ts";
import { sdk } from "./official-sdk.ts";
import { answerTo, scriptedProcess } from "./scripted-process.ts";

// If a message and a callback arrive in one chunk, programs depend on which of them they see first.

const SESSION = "11111111-1111-4111-8111-111111111111";
const REQUESTS: Readonly<Record<string, object>> = {
  hook: {
    subtype: "hook_callback",
    callback_id: "hook_0",
    input: {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: {},
      session_id: SESSION,
      cwd: "/",
    },
  },
  permission: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" },
  elicitation: { subtype: "elicitation", mcp_server_name: "sums", message: "Which?" },
};

const said = (text: string) => ({
  type: "assistant",
  message: { id: text, role: "assistant", content: [{ type: "text", text }] },
  parent_tool_use_id: null,
  session_id: SESSION,
});

/** An agent that answers the first prompt with all of these in one chunk, and exits when its questions are answered. */
function agentThatSays(names: readonly string[]): SpawnedProcess {
  const asked = names.filter((name) => name in REQUESTS);
  const lineOf = (name: string, index: number) =>
    name in REQUESTS
      ? { type: "control_request", request_id: `r${index}`, request: REQUESTS[name] }
      : said(name);
  return scriptedProcess((message, write, end) => {
    if (message.type === "control_request") write(answerTo(message));
    if (message.type === "user") write(...names.map(lineOf));
    if (message.type !== "control_response" || asked.pop() === undefined || asked.length > 0) return;
    write({ type: "result", subtype: "success", is_error: false, result: "", session_id: SESSION });
    end();
  });
}

/** The order in which a program sees messages and callbacks, with `layers` of generators between it and the query. */
async function seenBy(query: typeof sdk.query, names: readonly string[], layers = 0): Promise<string[]> {
  const seen: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  async function* prompts() {
    yield userMessage("go");
    await finished;
  }
  const note = <T>(name: string, answer: T) => {
    seen.push(name);
    return Promise.resolve(answer);
  };
  let messages: AsyncIterable<{ type: string }> = query({
    prompt: prompts(),
    options: {
      pathToClaudeCodeExecutable: "claude",
      spawnClaudeCodeProcess: () => agentThatSays(names),
      canUseTool: () => note("permission", { behavior: "deny", message: "no" }),
      onElicitation: () => note("elicitation", { action: "decline" }),
      hooks: { PreToolUse: [{ hooks: [() => note("hook", {})] }] },
    },
  });
  for (let layer = 0; layer < layers; layer++) messages = passedOn(messages);
  for await (const message of messages) {
    if (message.type === "assistant") seen.push((message as ReturnType<typeof said>).message.id);
    if (message.type !== "result") continue;
    finish();
    break;
  }
  return seen;
}

async function* passedOn<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const message of messages) yield message;
}

const SEQUENCES = [
  ["one", "hook", "two"],
  ["one", "permission", "two"],
  ["one", "elicitation", "two", "hook", "three", "permission"],
  [...Array.from({ length: 20 }, (_, index) => `message ${index}`), "hook", "permission", "last"],
];

describe("callbacks and messages that arrive together", () => {
  test.each(SEQUENCES)("are seen in wire order, as with the official SDK: %s, %s …", async (...names) => {
    expect(await seenBy(sdk.query, names)).toEqual(names);
    expect(await seenBy(host.query as never, names)).toEqual(names);
  });

  test("are seen in the same order through nested generators and with twenty parallel sessions", async () => {
    const [names = []] = SEQUENCES.slice(2);
    const all = Array.from({ length: 20 }, () => seenBy(host.query as never, names, 4));
    for (const seen of await Promise.all(all)) expect(seen).toEqual(names);
  });

  test("do not wait for a program that handles a message slowly", async () => {
    const slow: typeof sdk.query = (given) => {
      const messages = host.query(given as never);
      return (async function* () {
        for await (const message of messages) {
          await delay(message.type === "assistant" ? 50 : 0);
          yield message;
        }
      })() as never;
    };
    expect(await seenBy(slow, ["one", "hook"])).toEqual(["hook", "one"]);
  });
});
