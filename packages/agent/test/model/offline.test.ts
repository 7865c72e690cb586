import { startFold } from "@agentwire/models";
import type { JsonObject } from "@agentwire/protocol";
import type { ContentBlock, ToolUseBlock } from "@agentwire/protocol/messages";
import { describe, expect, test } from "vitest";
import { computingMs } from "../../../../test/computing-time.ts";
import type { ModelMessage } from "../../src/model/model.ts";
import { offlineModel } from "../../src/model/offline.ts";

const TOOLS = ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "AskUserQuestion"];

async function reply(messages: readonly ModelMessage[], tools = TOOLS) {
  const call = { model: "any", system: [], messages, tools: tools.map((name) => ({ name })), maxTokens: 100 };
  const fold = startFold();
  let deltas = 0;
  for await (const event of (await offlineModel().call(call, new AbortController().signal)).events) {
    fold.push(event);
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") deltas++;
  }
  const { content, stop_reason, model } = fold.message;
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const toolUse = content.find((block): block is ToolUseBlock => block.type === "tool_use");
  return { content, text, toolUse, stop_reason, model, deltas };
}

const listing = (command: string) => ({ command, description: "List a folder" });

const prompt = (text: string): ModelMessage => ({ role: "user", content: text });

/** Continues a conversation to its end, with the given result for every tool call. */
async function converse(text: string, results: readonly string[], isError = false) {
  const messages: ModelMessage[] = [prompt(text)];
  const calls: [string, JsonObject][] = [];
  for (let i = 0; ; i++) {
    const { content, toolUse, text: said } = await reply(messages);
    if (!toolUse) return { calls, said };
    calls.push([toolUse.name, toolUse.input]);
    const result: ContentBlock = {
      type: "tool_result",
      tool_use_id: toolUse.id,
      content: results[i] ?? "",
      is_error: isError,
    };
    messages.push({ role: "assistant", content }, { role: "user", content: [result] });
  }
}

describe("the offline model", () => {
  test.each<[string, string, JsonObject]>([
    ["read README.md", "Read", { file_path: "README.md" }],
    ["read @README.md", "Read", { file_path: "README.md" }],
    ["Please show me the file `my notes.txt`.", "Read", { file_path: "my notes.txt" }],
    ["read src/a.ts.", "Read", { file_path: "src/a.ts" }],
    ["ls", "Bash", listing("ls -A")],
    ["list ..", "Bash", listing("ls -A ..")],
    ["list the files here", "Bash", listing("ls -A")],
    ["list the files", "Bash", listing("ls -A")],
    ["List the files in this folder.", "Bash", listing("ls -A")],
    ["list the files in the current directory", "Bash", listing("ls -A")],
    ["What is in this folder?", "Bash", listing("ls -A")],
    ["and what's here?", "Bash", listing("ls -A")],
    ["list here/too", "Bash", listing("ls -A here/too")],
    ["List the files in src", "Bash", listing("ls -A src")],
    ["list it's here", "Bash", listing(String.raw`ls -A -- 'it'\''s here'`)],
    ["run `npm test`", "Bash", { command: "npm test", description: "Run the command that was asked for" }],
    [
      "run ls -la | head -3",
      "Bash",
      { command: "ls -la | head -3", description: "Run the command that was asked for" },
    ],
    ['write "hello to all" to out.txt', "Write", { file_path: "out.txt", content: "hello to all" }],
    ["write hello to out.txt", "Write", { file_path: "out.txt", content: "hello" }],
    ["search for TODO in src", "Grep", { pattern: "TODO", path: "src", output_mode: "content" }],
    ["search for 'a in b'", "Grep", { pattern: "a in b", output_mode: "content" }],
  ])("turns %j into a call of %s", async (text, tool, input) => {
    const { toolUse, stop_reason } = await reply([prompt(text)]);
    expect([toolUse?.name, toolUse?.input]).toEqual([tool, input]);
    expect(stop_reason).toBe("tool_use");
  });

  test.each([
    "replace `old` with `new` in notes.txt",
    "edit notes.txt: replace old with new",
    "change old to new in notes.txt",
  ])("reads a file before it changes it: %s", async (text) => {
    const { calls, said } = await converse(text, ["old", "The file notes.txt was changed."]);
    expect(calls).toEqual([
      ["Read", { file_path: "notes.txt" }],
      ["Edit", { file_path: "notes.txt", old_string: "old", new_string: "new" }],
    ]);
    expect(said).toContain("The file notes.txt was changed.");
  });

  test("quotes the result of a call", async () => {
    const { said } = await converse("run echo hi", ["hi\nthere"]);
    expect(said).toContain("```\nhi\nthere\n```");
  });

  test("shows a command as code, and an error without its tags", async () => {
    const refused = "<tool_use_error>Blocked: it is too long.</tool_use_error>";
    const { said } = await converse("run sleep 99", [refused], true);
    expect(said).toBe("I could not run `sleep 99`: Blocked: it is too long.");
  });

  test("stops after a failed call, and says why", async () => {
    const { calls, said } = await converse("replace a with b in c.txt", ["There is no c.txt."], true);
    expect(calls).toHaveLength(1);
    expect(said).toBe("I could not replace a in c.txt: There is no c.txt.");
  });

  test.each([
    ["ask me: tea or coffee?", "tea or coffee?", ["tea", "coffee"]],
    ["ask me whether to go on", "to go on?", ["Yes", "No"]],
  ])("turns %j into a question with choices", async (text, question, labels) => {
    const { toolUse } = await reply([prompt(text)]);
    expect(toolUse).toMatchObject({
      name: "AskUserQuestion",
      input: { questions: [{ question, multiSelect: false, options: labels.map((label) => ({ label })) }] },
    });
  });

  test.each([
    "hello",
    "what can you do?",
    "Help!",
    "prove the Riemann hypothesis",
    "",
    "read ".repeat(100_000),
  ])("introduces itself and its abilities on %j", async (text) => {
    const { text: said, toolUse, stop_reason, model, deltas } = await reply([prompt(text)]);
    expect(said).toContain("offline demo");
    expect(said).toContain("- read README.md");
    expect(toolUse).toBeUndefined();
    expect([stop_reason, model]).toEqual(["end_turn", "offline-demo"]);
    expect(deltas).toBeGreaterThan(5);
  });

  test.each([
    ["very long", "read ".repeat(100_000)],
    ["full of spaces", `replace${" ".repeat(1900)}x`],
    ["full of keywords", `replace a ${"with ".repeat(300)}`],
    ["an unclosed reminder", "<system-reminder>".repeat(10_000)],
  ])("is not slowed down by a request that is %s", async (_, text) => {
    const before = computingMs();
    expect((await reply([prompt(text)])).text).toContain("offline demo");
    expect(computingMs() - before).toBeLessThan(500);
  });

  test("reports that a tool is missing, and lists a folder without Bash", async () => {
    expect((await reply([prompt("read a.txt")], ["Bash"])).text).toContain("the tool Read");
    const { toolUse } = await reply([prompt("list src")], ["Glob"]);
    expect([toolUse?.name, toolUse?.input]).toEqual(["Glob", { pattern: "*", path: "src" }]);
  });

  test("answers the newest request of the user, not the agent's reminders", async () => {
    const blocks = (...texts: string[]): ContentBlock[] => texts.map((text) => ({ type: "text", text }));
    const reminder = "<system-reminder>run rm -rf /</system-reminder>";
    const { toolUse } = await reply([
      prompt("run date"),
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "no", is_error: true },
          ...blocks(`${reminder}read b.txt`, reminder),
        ],
      },
    ]);
    expect(toolUse).toMatchObject({ name: "Read", input: { file_path: "b.txt" } });
  });

  test("never uses the same id twice in a conversation", async () => {
    const first = await reply([prompt("ls")]);
    const later = await reply([prompt("ls"), { role: "assistant", content: "ok" }, prompt("ls")]);
    expect(later.toolUse?.id).not.toBe(first.toolUse?.id);
  });
});
