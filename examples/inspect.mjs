// Shows the messages on a wire, in any dialect: reads lines from a file or from stdin and describes each of them.
import { createReadStream } from "node:fs";
import { Malformed, parseLine, readLines } from "@agentwire/protocol";
import { DIALECTS, dialectByName, dialectOfAgentLine } from "@agentwire/protocol/dialect";

const HELP = `Shows what an agent wrote: its dialect, messages and repairs, and malformed lines.

  npm run inspect                                  a recorded conversation
  npm run inspect -- FILE                          lines of a file (plain, or recorded as {dir, line} or {from, line})
  some-agent | npm run -s inspect -- -             lines from stdin
  npm run inspect -- --dialect miriad FILE         claude, claude-v1, miriad, jsonrpc or dart; detected by default
  npm run inspect -- --json FILE                   canonical messages, one per line`;

const args = process.argv.slice(2);
if (args.includes("--help") || args.includes("-h")) {
  console.log(HELP);
  process.exit(0);
}
const json = take("--json", false) !== undefined;
const wanted = take("--dialect", true);
const [file] = args;
let dialect = wanted === undefined ? undefined : dialectByName(wanted);
if (wanted !== undefined && !dialect)
  fail(`unknown dialect ${wanted}; choose one of ${Object.keys(DIALECTS).join(", ")}`);

const example = new URL("../test/transcripts/claude-2.1.325/write-and-edit.jsonl", import.meta.url);
const input = file === "-" ? process.stdin : createReadStream(file ?? example);
input.on("error", (error) => fail(`can't read ${file}: ${error.message}`));

let translation;
let shown = 0;
for await (const lines of readLines(input)) {
  const values = lines.map((line) => unwrapped(parseLine(line))).filter((value) => value !== undefined);
  dialect ??= values
    .map((value) => (value instanceof Malformed ? undefined : dialectOfAgentLine(value)))
    .find(Boolean);
  translation ??= (dialect ?? DIALECTS.claude).forHost();
  for (const value of values) show(value);
}
if (!json)
  console.log(`\n${shown} ${shown === 1 ? "message" : "messages"}, dialect ${dialect?.name ?? "claude"}`);
if (!json && file === undefined)
  console.log("This was a recorded conversation; to inspect your own, see npm run inspect -- --help.");

function show(value) {
  if (value instanceof Malformed) return report("not a message", value.reason);
  translation.decode(value, {
    message: (message) => {
      shown++;
      report(titleOf(message), json ? message : brief(summaryOf(message)));
    },
    repaired: (type, repairs) => {
      if (json) return;
      for (const { path, kind } of repairs) report(`  repaired ${type}`, `${path} ${kind}`);
    },
    malformed: (fault) => report("not a message", fault.reason),
    reply() {},
  });
}

/** Recordings wrap each line and name its sender; only the agent's lines are shown. */
function unwrapped(value) {
  if (value instanceof Malformed || !("line" in value)) return value;
  const isAgents = value.dir === "out" || value.from === "agent";
  return isAgents && value.line && typeof value.line === "object" ? value.line : undefined;
}

function report(title, detail) {
  console.log(json ? JSON.stringify(detail) : `${title.padEnd(32)} ${detail}`);
}

/** Shortens the content of a message. Faults are always shown in full. */
function brief(text) {
  const line = String(text).replace(/\s+/g, " ");
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}

function titleOf(message) {
  return message.type === "unknown"
    ? `unknown: ${message.raw_type}`
    : [message.type, message.subtype].filter(Boolean).join("/");
}

function summaryOf(message) {
  const { content } = message.message ?? {};
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content.map((block) => block.text ?? block.name ?? block.type).join(" · ");
  return (
    message.result ?? message.request?.subtype ?? message.event?.type ?? message.model ?? message.status ?? ""
  );
}

function take(flag, hasValue) {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args.splice(at, hasValue ? 2 : 1).at(-1);
}

function fail(text) {
  console.error(text);
  process.exit(2);
}
