import type { Command, Option } from "../command.ts";

const LIST_OPTIONS: readonly Option[] = [
  { name: "session", short: "s", value: "ID", summary: "only those of this session" },
  { name: "all", summary: "also those that have ended, with how" },
];

export const QUESTIONS: Command = {
  name: "questions",
  summary: "lists and answers what agents ask",
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
          summary: "for how long calls like it are allowed",
          choices: ["once", "session", "always"],
        },
        { name: "rule", value: "RULE", summary: "which calls, instead of those that the agent suggests" },
        { name: "scope", value: "SCOPE", summary: "where an always holds", choices: ["project", "user"] },
        { name: "input", value: "JSON", summary: "what runs instead of what was asked" },
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
      summary: "denies it",
      args: "QUESTION",
      count: [1, 1],
      options: [
        { name: "reason", value: "TEXT", summary: "what the agent is told" },
        { name: "stop", summary: "ends the turn as well" },
      ],
      examples: [
        "agentwire questions deny 5b21 --reason 'ask the owner first'",
        "agentwire questions deny 5b21 --stop",
      ],
      run: async (call) => (await import("../questions/decide.ts")).denyQuestion(call),
    },
    {
      name: "answer",
      summary: "answers what an agent asks you",
      args: "QUESTION ANSWER…",
      count: [2, Number.POSITIVE_INFINITY],
      details: `One answer for each question, in order: the number or the name of an option, several separated by commas, or your
own words.`,
      examples: ["agentwire questions answer 5b21 2", "agentwire questions answer 5b21 'tea' '1,3'"],
      run: async (call) => (await import("../questions/decide.ts")).answer(call),
    },
  ],
};
