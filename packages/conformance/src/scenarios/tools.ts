import { calls, says, toolUse } from "../scripted-api/script.ts";
import { allowEverything, BYPASS, PARTIAL, prompts } from "./parts.ts";
import type { Theme } from "./scenario.ts";

const MILLION = 1_000_000;
const MAX_LINE = 262_144;

/** Tools that read, write and fail. */
export const tools: Theme = {
  name: "tools",
  scenarios: [
    {
      name: "read-tool",
      about: "reading a file of the project needs no permission",
      files: { "hello.txt": "line one\nline two\n" },
      steps: [
        {
          content: [
            { type: "text", text: "Reading it." },
            toolUse("Read", { file_path: "{{cwd}}/hello.txt" }, "toolu_read1"),
          ],
        },
        says("It has two lines."),
      ],
      flow: prompts("read hello.txt"),
    },
    {
      name: "parallel-tools",
      about: "three calls in one message get three results, in any order",
      files: { "a.txt": "A\n", "b.txt": "B\n", "c.txt": "C\n" },
      steps: [
        {
          content: [
            { type: "text", text: "Reading three." },
            toolUse("Read", { file_path: "{{cwd}}/a.txt" }, "toolu_1"),
            toolUse("Read", { file_path: "{{cwd}}/b.txt" }, "toolu_2"),
            toolUse("Read", { file_path: "{{cwd}}/c.txt" }, "toolu_3"),
          ],
        },
        says("Read all."),
      ],
      flow: prompts("read all"),
    },
    {
      name: "write-and-edit",
      about: "a file is written and then edited, each after a question",
      steps: [
        calls("Write", { file_path: "{{cwd}}/new.txt", content: "alpha\nbeta\n" }, "toolu_w1"),
        calls("Edit", { file_path: "{{cwd}}/new.txt", old_string: "beta", new_string: "gamma" }, "toolu_e1"),
        says("Edited."),
      ],
      flow: async ({ agent, project }) => {
        const questions = allowEverything(agent);
        await agent.turn("write then edit");
        return { file: project.read("new.txt"), questions: questions.count };
      },
      expect: { facts: { file: "alpha\ngamma\n", questions: 2 } },
    },
    {
      name: "tool-error",
      about:
        "a missing file, a failing command, an unknown tool and an invalid input give error results, and the turn continues",
      steps: [
        calls("Read", { file_path: "{{cwd}}/missing.txt" }, "toolu_r1"),
        calls("Bash", { command: "echo out; echo err >&2; exit 3", description: "fail" }, "toolu_b1"),
        calls("NoSuchTool", { x: 1 }, "toolu_n1"),
        calls("Read", { wrong: true }, "toolu_v1"),
        says("All failed."),
      ],
      flow: async ({ agent }) => {
        allowEverything(agent);
        await agent.turn("fail");
      },
    },
    {
      name: "large-tool-output",
      about: "a megabyte of command output or file content is never sent as one line",
      args: BYPASS,
      files: {
        "big.txt": Array.from({ length: 20_000 }, (_, i) => `line ${i} ${"x".repeat(40)}`).join("\n"),
      },
      steps: [
        calls("Bash", { command: "seq 1 200000", description: "many lines" }, "toolu_b1"),
        calls("Read", { file_path: "{{cwd}}/big.txt" }, "toolu_r1"),
        calls("Read", { file_path: "{{cwd}}/big.txt", limit: 300 }, "toolu_r2"),
        says("Big."),
      ],
      flow: async ({ agent }) => {
        await agent.turn("big output");
        return { linesAreShort: agent.lines.every((line) => JSON.stringify(line).length < MAX_LINE) };
      },
      expect: { facts: { linesAreShort: true } },
    },
    {
      name: "big-tool-input-1mb",
      about: "a call with a megabyte of input is streamed, written as one line, and executed in full",
      args: [...BYPASS, ...PARTIAL],
      steps: [
        calls("Write", { file_path: "{{cwd}}/big.txt", content: "z".repeat(MILLION) }, "toolu_w1", {
          chunkSize: 20_000,
        }),
        says("wrote"),
      ],
      flow: async ({ agent, project }) => {
        agent.prompt("x");
        await agent.result({ withinMs: 30_000 });
        return { fileLength: project.read("big.txt")?.length };
      },
      expect: { facts: { fileLength: MILLION } },
    },
    {
      name: "blocked-sleep",
      about: "a command that begins with a long sleep does not run and gets an error result",
      args: BYPASS,
      steps: [
        calls("Bash", { command: "sleep 30; echo never", description: "sleep" }, "toolu_b1"),
        says("Ok."),
      ],
      flow: prompts("sleep"),
    },
    {
      name: "structured-output",
      about:
        "with --json-schema the result contains the model's structured output, and no further request is made",
      args: [
        "--json-schema",
        JSON.stringify({
          type: "object",
          properties: { name: { type: "string" }, age: { type: "number" } },
          required: ["name", "age"],
        }),
      ],
      steps: [calls("StructuredOutput", { name: "Ada", age: 36 }, "toolu_so1"), says("Here you go.")],
      flow: async ({ agent, api }) => {
        await agent.turn("give a person");
        return { toolOffered: api.toolNames(0).includes("StructuredOutput") };
      },
      expect: { facts: { toolOffered: true } },
    },
    {
      name: "structured-output-never",
      about:
        "a model that does not call the tool is reminded once, then the turn succeeds without structured output",
      args: [
        "--json-schema",
        JSON.stringify({ type: "object", properties: { name: { type: "string" } }, required: ["name"] }),
      ],
      steps: [],
      whenExhausted: says("I will not call the tool."),
      flow: prompts("give a person"),
    },
  ],
};
