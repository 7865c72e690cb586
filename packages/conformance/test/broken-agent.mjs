// Runs a real agent and breaks one thing in its output: node broken-agent.mjs <fault> <agent> <flags of the host…>
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [, , fault, agent, ...args] = process.argv;
const child = spawn(agent, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdin.on("error", () => {});

const is = (type, subtype) => (line) =>
  line.type === type && (subtype === undefined || line.subtype === subtype);
const hasBlock = (line, type) => line.message?.content?.some?.((block) => block.type === type);
let held;
let seen = 0;

/** For each fault, the lines to write instead of a line. */
const FAULTS = {
  "no-fault": (line) => [line],
  "result-missing": (line) => (is("result")(line) ? [] : [line]),
  "result-twice": (line) => (is("result")(line) ? [line, line] : [line]),
  "init-missing": (line) => (is("system", "init")(line) ? [] : [line]),
  "answer-to-nobody": (line) =>
    is("control_response")(line)
      ? [{ ...line, response: { ...line.response, request_id: "wrong" } }]
      : [line],
  "deltas-out-of-order": (line) => {
    if (line.event?.type !== "content_block_delta") return [line];
    const before = held;
    held = before === undefined ? line : undefined;
    return before === undefined ? [] : [line, before];
  },
  "tool-result-lost": (line) => (is("user")(line) && hasBlock(line, "tool_result") ? [] : [line]),
  "result-before-answer": (line) => {
    if (is("assistant")(line) && held === undefined) {
      held = line;
      return [];
    }
    return is("result")(line) ? [line, held] : [line];
  },
  "question-without-input": (line) =>
    is("control_request")(line) ? [{ ...line, request: { ...line.request, input: {} } }] : [line],
  "session-id-changes": (line) =>
    is("result")(line) ? [{ ...line, session_id: `other-${++seen}` }] : [line],
  "failure-is-success": (line) => (is("result")(line) ? [{ ...line, is_error: !line.is_error }] : [line]),
  "text-altered": (line) =>
    is("assistant")(line)
      ? [JSON.parse(JSON.stringify(line).replace("Hello", "Hallo").replace("First", "1st"))]
      : [line],
  noise: (line) => (is("result")(line) ? ["(node:1) Warning: something is deprecated", line] : [line]),
};

createInterface({ input: child.stdout }).on("line", (text) => {
  for (const line of FAULTS[fault](JSON.parse(text)))
    process.stdout.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
});
child.on("close", (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
