import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { calls, says } from "@agentwire/conformance";
import { createSdkMcpServer, tool } from "@agentwire/host";
import { z } from "zod";

const MCP_PROGRAM = fileURLToPath(new URL("mcp-program.mjs", import.meta.url));
const ALLOWED = "touch allowed.txt";
const DENIED = "touch denied.txt";
const RULED = "touch ruled.txt";
const HOOKED = "touch hooked.txt";

/** A reply that takes five seconds: long enough to interrupt, and bearable for an agent that can't be interrupted. */
const SLOW_REPLY = says("word ".repeat(100), { chunkSize: 5, chunkDelay: 50 });

const bash = (command) => [calls("Bash", { command, description: "Make a file" }), says("Done.")];

/**
 * The features that a host may need from an agent, in the order in which one conversation tries them: the options of each, the replies
 * of the model, and a trial that throws unless the feature works. A trial receives the `talk` of `host-talk.mjs`.
 */
export const features = {
  "a text prompt": {
    steps: [says("Hello there.")],
    trial: async (talk) => must((await talk.turn("hello")).result, "Hello there."),
  },
  "partial messages": {
    options: () => ({ includePartialMessages: true }),
    steps: [says("In pieces.")],
    trial: async (talk) => {
      await talk.turn("again");
      must(talk.heard.has("stream_event"));
    },
  },
  "rules (`allowedTools`)": {
    options: () => ({ allowedTools: [`Bash(${RULED})`] }),
    steps: bash(RULED),
    trial: async (talk) => {
      await talk.turn("make ruled.txt");
      must(talk.exists("ruled.txt") && !talk.asked.has(RULED));
    },
  },
  "`canUseTool`": {
    options: (talk) => ({
      canUseTool: async (_name, input) => {
        talk.asked.add(input.command);
        return input.command === DENIED
          ? { behavior: "deny", message: "not this one" }
          : { behavior: "allow", updatedInput: input };
      },
    }),
    steps: [...bash(ALLOWED), ...bash(DENIED)],
    trial: async (talk) => {
      await talk.turn("make allowed.txt");
      await talk.turn("make denied.txt");
      must(talk.asked.has(ALLOWED) && talk.exists("allowed.txt"));
      must(
        talk.asked.has(DENIED) && !talk.exists("denied.txt") && talk.api.requests.sent(-1, "not this one"),
      );
    },
  },
  hooks: {
    options: () => ({
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              async ({ tool_input }) =>
                tool_input.command === HOOKED ? { decision: "block", reason: "a hook says no" } : {},
            ],
          },
        ],
      },
    }),
    steps: bash(HOOKED),
    trial: async (talk) => {
      await talk.turn("make hooked.txt");
      must(!talk.exists("hooked.txt") && talk.api.requests.sent(-1, "a hook says no"));
    },
  },
  "MCP server as a program": {
    options: () => ({
      mcpServers: { program: { type: "stdio", command: process.execPath, args: [MCP_PROGRAM] } },
    }),
    steps: [calls("mcp__program__echo", { text: "from afar" }), says("Done.")],
    trial: async (talk) => {
      await talk.turn("echo");
      must(talk.resultOf("mcp__program__echo"), "echo: from afar");
    },
  },
  "MCP server in the host (`createSdkMcpServer`)": {
    options: () => ({
      mcpServers: {
        calc: createSdkMcpServer({
          name: "calc",
          tools: [
            tool("add", "Adds", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
              content: [{ type: "text", text: `sum ${a + b}` }],
            })),
          ],
        }),
      },
    }),
    steps: [calls("mcp__calc__add", { a: 2, b: 3 }), says("Done.")],
    trial: async (talk) => {
      await talk.turn("add");
      must(talk.resultOf("mcp__calc__add"), "sum 5");
    },
  },
  "`interrupt`": {
    steps: [SLOW_REPLY],
    trial: async (talk) => {
      const before = talk.api.requests.turns.length;
      const turn = talk.turn("talk for long");
      await talk.until(() => talk.api.requests.turns.length > before);
      try {
        await talk.query.interrupt();
      } finally {
        await turn;
      }
      must((await turn).subtype, "error_during_execution");
    },
  },
  "another turn in the same session": {
    steps: [says("Going on.")],
    trial: async (talk) => must((await talk.turn("go on")).result, "Going on."),
  },
  "`rewindFiles`": {
    options: () => ({ enableFileCheckpointing: true }),
    steps: [calls("Write", { file_path: "{{cwd}}/written.txt", content: "new" }), says("Done.")],
    trial: async (talk) => {
      const uuid = randomUUID();
      await talk.turn("write a file", { uuid });
      must(talk.exists("written.txt"));
      await talk.query.rewindFiles(uuid);
      must(!talk.exists("written.txt"));
    },
  },
  "`setPermissionMode`": {
    trial: async (talk) => talk.query.setPermissionMode("acceptEdits"),
  },
  "`setModel`": {
    steps: [says("I am another.")],
    trial: async (talk) => {
      await talk.query.setModel("claude-haiku-4-5-20251001");
      await talk.turn("who are you?");
      must(talk.api.requests.models().at(-1), "claude-haiku-4-5-20251001");
    },
  },
  "`supportedCommands`": {
    trial: async (talk) => must((await talk.query.supportedCommands()).length > 0),
  },
  "`mcpServerStatus`": {
    trial: async (talk) => must((await talk.query.mcpServerStatus()).length > 0),
  },
  "`getContextUsage`": {
    trial: async (talk) => must((await talk.query.getContextUsage()).totalTokens >= 0),
  },
};

function must(actual, expected = true) {
  const isMet = typeof expected === "string" ? String(actual).includes(expected) : actual === expected;
  if (!isMet) throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
