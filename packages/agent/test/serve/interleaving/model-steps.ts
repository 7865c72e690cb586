import type { ScriptStep } from "@agentwire/models/script";
import fc from "fast-check";

/** What a model may do next, as steps of a script: fast, slow, with or without a permission question, with an error. */
const STEPS: Readonly<Record<string, ScriptStep>> = {
  text: { text: "Done." },
  slow: { text: "Word by word by word.", chunkSize: 4, chunkDelay: 2 },
  late: { text: "At last.", delayBefore: 15 },
  ask: {
    content: [{ type: "tool_use", name: "Write", input: { file_path: "{{cwd}}/made", content: "x" } }],
  },
  read: { content: [{ type: "tool_use", name: "Glob", input: { pattern: "*.none" } }] },
  fail: { type: "error", status: 402, error: { type: "billing_error", message: "no credit" } },
};

/** Some random steps of a model. */
export const modelSteps: fc.Arbitrary<ScriptStep[]> = fc
  .array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 8, size: "max" })
  .map((names) => names.flatMap((name) => STEPS[name] ?? []));
