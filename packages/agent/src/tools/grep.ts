import type { JsonObject } from "@agentwire/protocol";
import { DEFAULT_LIMIT } from "./grep/report.ts";
import { textField } from "./input-fields.ts";
import type { Tool } from "./tool.ts";

const count = (description: string): JsonObject => ({ type: "integer", minimum: 0, description });
const flag = (description: string): JsonObject => ({ type: "boolean", description });

/** Searches the contents of files. */
export const grepTool: Tool = {
  name: "Grep",
  description: `Searches the text of files with a regular expression. Prefer it to grep in Bash.
- output_mode: files_with_matches (the default; the last changed come first), content (the matching lines), count (how many lines match in each file).
- Choose files with glob ("*.ts", "src/**/*.{js,ts}") or type ("js", "py").
- A match stays within one line unless multiline is set.
- It is ripgrep: its regular expressions have no look-around and no back references; \`interface\\{\\}\` finds \`interface{}\`.
- In a repository, files that .gitignore names are left out unless path or glob names them; binary files and version control folders are left out.`,
  inputSchema: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The regular expression." },
      path: {
        type: "string",
        description: "The file or folder to search. Leave it out for the current folder.",
      },
      glob: { type: "string", description: "Only files whose paths match this pattern." },
      type: { type: "string", description: "Only files of this type." },
      output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
      "-A": count("Lines to show after each match (content only)."),
      "-B": count("Lines to show before each match (content only)."),
      "-C": count("Lines to show before and after each match (content only)."),
      context: count("The same as -C."),
      "-n": flag("Show line numbers (content only); true unless set to false."),
      "-i": flag("Ignore case."),
      "-o": flag("Show only what matches, one match a line (content only)."),
      head_limit: count(`How many lines of the answer to show: ${DEFAULT_LIMIT} unless set, 0 for all.`),
      offset: count("How many lines of the answer to leave out first."),
      multiline: flag("Let a match go over several lines and a dot match line breaks."),
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  isReadOnly: () => true,
  describe: (input) => textField(input, "pattern"),
  // Loaded on first use: most of its dependencies are not needed otherwise.
  run: async (input, context) => (await import("./grep/search.ts")).search(input, context),
};
