import type { Script } from "./stage.ts";
import { use } from "./tool-use.ts";

const TODOS = [
  { content: "Find where prices are printed", activeForm: "Finding where prices are printed" },
  { content: "Keep both digits of the cents", activeForm: "Keeping both digits of the cents" },
  { content: "Run the tests", activeForm: "Running the tests" },
];
const todos = (done: number) => ({
  todos: TODOS.map((todo, index) => ({
    ...todo,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  })),
});

/** Scripts for the pictures; `fixer` fixes a small bug as a real agent would. */
export const showcase: Readonly<Record<string, Script>> = {
  writer: {
    steps: [],
    whenExhausted: { text: "Done.", usage: { input_tokens: 48_000, output_tokens: 2100 } },
  },
  local: {
    steps: [],
    whenExhausted: {
      text: "Done.",
      model: "home-made-1",
      usage: { input_tokens: 9000, output_tokens: 8000 },
    },
  },
  talker: { steps: [{ text: "I begin with the lexer. ".repeat(9), chunkSize: 8, stallAfterChunks: 20 }] },
  upgrader: {
    steps: [{ content: [use("toolu_npm", "Bash", { command: "npm install --save-dev biome@2" })] }],
  },
  fixer: {
    steps: [
      {
        content: [
          {
            type: "thinking",
            thinking: "5.1 comes from a division. Look at the code first.",
            signature: "s",
          },
          { type: "text", text: "I look for the code that prints prices." },
          use("toolu_todo", "TodoWrite", todos(0)),
          use("toolu_grep", "Grep", { pattern: "cents", output_mode: "content", path: "src" }),
        ],
      },
      { content: [use("toolu_read", "Read", { file_path: "{{cwd}}/src/price.ts" })] },
      {
        content: [
          {
            type: "text",
            text: "`cents / 100` drops trailing zeros: **510 becomes 5.1**. `toFixed(2)` keeps both digits.",
          },
          use("toolu_todo2", "TodoWrite", todos(1)),
          use("toolu_edit", "Edit", {
            file_path: "{{cwd}}/src/price.ts",
            old_string: '  return "$" + cents / 100;',
            new_string: "  const dollars = (cents / 100).toFixed(2);\n  return `$${dollars}`;",
          }),
        ],
      },
      {
        content: [use("toolu_todo3", "TodoWrite", todos(3))],
      },
      {
        content: [{ type: "text", text: summary() }],
      },
    ],
  },
};

function summary(): string {
  return [
    "Fixed. Every price now has two digits after the point:",
    "",
    "| cents | before | after |",
    "| --- | --- | --- |",
    "| 510 | `$5.1` | `$5.10` |",
    "| 500 | `$5` | `$5.00` |",
    "",
    "```ts",
    "price(510); // $5.10",
    "```",
  ].join("\n");
}
