import type { JsonObject } from "@agentwire/protocol";

/** A tool call that a request needs. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** How to handle a request: a text to reply with, or tool calls to make one after another and their purpose. */
export type Plan =
  | { readonly say: string }
  | { readonly aim: string; readonly calls: readonly PlannedCall[] };

/** One kind of request that the offline model understands. */
interface Rule {
  readonly pattern: RegExp;
  readonly example: string;
  /** Gets the pattern's groups, with quotes removed. */
  plan(group: (index: number) => string, has: (tool: string) => boolean): Plan;
}

const FILE = String.raw`(?:the\s+)?(?:file\s+)?`;
/** Quoted text, or anything; it never starts with a space, so that there is only one way to match the spaces before it. */
const WORDS = "(\"[^\"]*\"|'[^']*'|`[^`]*`|\\S.*?)";

/** Ways to refer to the current folder, including not naming any. */
const HERE = /^(?:(?:files\s+)?here|files|(?:this|current)(?:\s+(?:folder|directory))?|)$/i;

const request = (source: string) => new RegExp(`^${source}$`, "is");

const RULES: readonly Rule[] = [
  {
    pattern: request(
      String.raw`(?:replace|change)\s+${WORDS}\s+(?:with|by|to)\s+${WORDS}\s+in\s+${FILE}(\S.*)`,
    ),
    example: "replace `old` with `new` in notes.txt",
    plan: (group) => replacement(group(3), group(1), group(2)),
  },
  {
    pattern: request(
      String.raw`(?:in|edit)\s+${FILE}(\S+?)[:,]?\s+(?:replace|change)\s+${WORDS}\s+(?:with|by|to)\s+(\S.*)`,
    ),
    example: "edit notes.txt: replace `old` with `new`",
    plan: (group) => replacement(group(1), group(2), group(3)),
  },
  {
    pattern: request(String.raw`(?:write|save|put)\s+${WORDS}\s+(?:to|into|in)\s+${FILE}(\S+)`),
    example: "write `some text` to notes.txt",
    plan: (group) => ({
      aim: `write ${group(2)}`,
      calls: [{ tool: "Write", input: { file_path: group(2), content: group(1) } }],
    }),
  },
  {
    pattern: request(String.raw`(?:run|execute|\$)\s+(?:the\s+command\s+)?(\S.*)`),
    example: "run `npm test`",
    plan: (group) => ({
      aim: `run ${asCode(group(1))}`,
      calls: [
        { tool: "Bash", input: { command: group(1), description: "Run the command that was asked for" } },
      ],
    }),
  },
  {
    pattern: request(String.raw`(?:search|grep|look)\s+(?:for\s+)?${WORDS}(?:\s+in\s+(\S+))?`),
    example: "search for TODO in src",
    plan: (group) => ({
      aim: `search for ${group(1)}`,
      calls: [
        {
          tool: "Grep",
          input: { pattern: group(1), output_mode: "content", ...(group(2) && { path: group(2) }) },
        },
      ],
    }),
  },
  {
    pattern: request(
      String.raw`(?:list|ls|dir)(?:\s+(?:the\s+)?(?:files\s+)?(?:in\s+|of\s+)?(?:the\s+)?(?:folder\s+)?(\S.*))?`,
    ),
    example: "list src",
    plan: (group, has) => listing(HERE.test(group(1)) ? "." : group(1), has),
  },
  {
    pattern: request(
      String.raw`what(?:\s+is|'s)\s+(?:in\s+)?(?:here|(?:this|the\s+current)\s+(?:folder|directory))\W*`,
    ),
    example: "what is in this folder?",
    plan: (_, has) => listing(".", has),
  },
  {
    pattern: request(String.raw`(?:read|show|open|cat|display)\s+(?:me\s+)?${FILE}(\S.*)`),
    example: "read README.md",
    plan: (group) => {
      // A file may be written with an `@`, as in prompts.
      const file = group(1).replace(/^@/, "");
      return { aim: `read ${file}`, calls: [{ tool: "Read", input: { file_path: file } }] };
    },
  },
  {
    pattern: request(String.raw`ask\s+(?:me[:,]?\s+)?(?:whether\s+|if\s+|about\s+)?(\S.*)`),
    example: "ask me: tea or coffee?",
    plan: (group) => question(group(1)),
  },
  {
    pattern: request(String.raw`(?:help|what\s+(?:can|do)\s+you\s+do|who\s+are\s+you)\W*`),
    example: "what can you do?",
    plan: () => ({
      say: `I am agentwire's offline demo: a few fixed rules, no language model. ${abilities()}`,
    }),
  },
  {
    pattern: request(String.raw`(?:hi|hello|hey|good\s+(?:morning|afternoon|evening))\b.{0,40}`),
    example: "hello",
    plan: () => ({ say: `Hello! I am agentwire's offline demo. ${abilities()}` }),
  },
];

const abilities = () =>
  `I understand requests like these:\n${RULES.map(({ example }) => `- ${example}`).join("\n")}`;

/** Longer requests are not meant for rules, and matching takes quadratic time. */
const MAX_REQUEST_LENGTH = 2000;

/** Decides what to do about a request; `has` tells whether the session offers a tool. */
export function planFor(text: string, has: (tool: string) => boolean): Plan {
  const asked = text.trim().replace(/^(?:(?:please|and|now|then|can you|could you)\s+){1,3}/i, "");
  if (asked.length <= MAX_REQUEST_LENGTH) {
    for (const rule of RULES) {
      const match = rule.pattern.exec(asked);
      if (match) return rule.plan((index) => unquoted(match[index] ?? ""), has);
    }
  }
  return {
    say: `I am agentwire's offline demo and did not understand that: there is no API key, so no language model is in use. ${abilities()}`,
  };
}

/** Removes quotes, or else the period or question mark that ends the sentence and is not part of a path. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'`])(.*)\1[.?!]?$/s.exec(trimmed);
  return quoted ? (quoted[2] ?? "") : trimmed.replace(/(?<=[^./\s])[.?!]$/, "");
}

/** A file must be read before it may be changed. */
function replacement(file: string, old: string, replacing: string): Plan {
  return {
    aim: `replace ${old} in ${file}`,
    calls: [
      { tool: "Read", input: { file_path: file } },
      { tool: "Edit", input: { file_path: file, old_string: old, new_string: replacing } },
    ],
  };
}

/** Glob also finds files in subfolders such as `.git`, so it is only for sessions without Bash. */
function listing(folder: string, has: (tool: string) => boolean): Plan {
  const call = has("Bash")
    ? { tool: "Bash", input: { command: `ls -A${operand(folder)}`, description: "List a folder" } }
    : { tool: "Glob", input: { pattern: "*", path: folder } };
  return { aim: folder === "." ? "list this folder" : `list ${folder}`, calls: [call] };
}

function operand(folder: string): string {
  if (folder === ".") return "";
  return /^[\w./~][\w./-]*$/.test(folder)
    ? ` ${folder}`
    : ` -- '${folder.replaceAll("'", String.raw`'\''`)}'`;
}

/** Formats a command so that it stands out from the sentence around it. */
const asCode = (command: string) => (/[`\n]/.test(command) ? command : `\`${command}\``);

function question(text: string): Plan {
  const topic = text.replace(/\?$/, "");
  const choices = topic
    .split(/\s+or\s+|,\s*/)
    .filter((choice) => choice !== "")
    .slice(0, 4);
  const labels = choices.length >= 2 ? choices : ["Yes", "No"];
  const options = labels.map((label) => ({ label, description: `Choose ${label}` }));
  const asked = { question: `${topic}?`, header: "Question", options, multiSelect: false };
  return { aim: "ask you", calls: [{ tool: "AskUserQuestion", input: { questions: [asked] } }] };
}
