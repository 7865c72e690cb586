import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [
  { name: "session", short: "s", value: "ID", summary: "only those of this session" },
  { name: "all", summary: "also closed ones, with their outcome" },
];

export const QUESTIONS: Command = {
  name: "questions",
  summary: "lists and answers agents' questions",
  options: LIST_OPTIONS,
  count: [0, 0],
  run: async (call) => (await import("../questions/list.ts")).list(call),
  examples: [
    "agentwire questions",
    "agentwire questions allow 5b21",
    "agentwire questions deny 5b21 --reason 'use npm ci'",
  ],
  subcommands: [
    {
      name: "list",
      summary: "lists the open questions",
      options: LIST_OPTIONS,
      examples: ["agentwire questions list", "agentwire questions list --all --json"],
      run: async (call) => (await import("../questions/list.ts")).list(call),
    },
    {
      name: "allow",
      summary: "allows the tool call that a question is about",
      args: "QUESTION",
      count: [1, 1],
      options: [
        {
          name: "for",
          value: "TIME",
          summary: "how long similar calls are allowed",
          choices: ["once", "session", "always"],
        },
        { name: "rule", value: "RULE", summary: "the rule to store, instead of the suggested one" },
        { name: "scope", value: "SCOPE", summary: "the scope of --for always", choices: ["project", "user"] },
        { name: "input", value: "JSON", summary: "the input to run instead of the requested one" },
      ],
      examples: [
        "agentwire questions allow 5b21",
        "agentwire questions allow 5b21 --for session",
        "agentwire questions allow 5b21 --for always --rule 'Bash(npm test:*)'",
      ],
      run: async (call) => (await import("../questions/decide.ts")).allow(call),
    },
    {
      name: "deny",
      summary: "denies the tool call",
      args: "QUESTION",
      count: [1, 1],
      options: [
        { name: "reason", value: "TEXT", summary: "the reason given to the agent" },
        { name: "stop", summary: "also ends the turn" },
      ],
      examples: [
        "agentwire questions deny 5b21 --reason 'ask the owner first'",
        "agentwire questions deny 5b21 --stop",
      ],
      run: async (call) => (await import("../questions/decide.ts")).denyQuestion(call),
    },
    {
      name: "answer",
      summary: "answers an agent's question to you",
      args: "QUESTION ANSWER…",
      count: [1, Number.POSITIVE_INFINITY],
      options: [
        {
          name: "content",
          value: "JSON",
          summary: "a whole form, keyed by the names in its schema, instead of answers",
        },
      ],
      details: `One answer per question, in order: the number or name of an option, several separated by commas, or your own
words. An MCP server's form has one question per field; "" skips an optional one.`,
      examples: [
        "agentwire questions answer 5b21 2",
        "agentwire questions answer 5b21 'tea' '1,3'",
        `agentwire questions answer 5b21 --content '{"name":"Ada"}'`,
      ],
      run: async (call) => (await import("../questions/decide.ts")).answer(call),
    },
  ],
};
