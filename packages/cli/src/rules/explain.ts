import { type ExplainResponse, ExplainResponseSchema, type Rule } from "@agentwire/api";
import { isJsonObject } from "@agentwire/protocol";
import { EXIT_CODES } from "@agentwire/protocol/support";
import { type Call, textOption } from "../command.ts";
import { folderForDaemon } from "../daemon/daemon-paths.ts";
import { runningDaemon } from "../daemon/reach.ts";
import { UsageError } from "../errors.ts";
import { plain } from "../render/plain.ts";
import { jsonLine } from "../talk/json.ts";
import { sessionId } from "../talk/sessions.ts";
import { behaviorName, printScope } from "./rules.ts";

/** Shows which rule decides a call. */
export async function explain(call: Call): Promise<number> {
  const {
    io,
    json,
    args: [toolName = "", input = ""],
  } = call;
  const client = await runningDaemon(io, "explain");
  const session = textOption(call, "session");
  const answer = await client.rules.explain({
    toolName,
    inputJson: inputJsonOf(toolName, input),
    sessionId: session === undefined ? "" : await sessionId(client, session),
    cwd: folderForDaemon(io, textOption(call, "cwd")),
  });
  io.stdout.write(json ? jsonLine(ExplainResponseSchema, answer) : describe(answer));
  return EXIT_CODES.done;
}

/** The input key that plain text stands for, by tool. */
const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ["Bash", "command"],
  ["Read", "file_path"],
  ["Edit", "file_path"],
  ["Write", "file_path"],
  ["WebFetch", "url"],
]);

/** The input as JSON. */
function inputJsonOf(toolName: string, given: string): string {
  if (given === "") return "{}";
  try {
    if (isJsonObject(JSON.parse(given))) return given;
  } catch {
    // Not JSON: handled below.
  }
  const key = SHORTHANDS.get(toolName);
  if (key !== undefined) return JSON.stringify({ [key]: given });
  throw new UsageError(
    `the input of ${toolName} must be a JSON object`,
    `as in: agentwire explain ${toolName} '{"key":"value"}'`,
  );
}

function describe({ behavior, rule, reason, alsoMatching }: ExplainResponse): string {
  const also = alsoMatching.map((other) => `  also matching, overruled: ${printRule(other)}\n`).join("");
  return `${behaviorName(behavior)}: ${plain(reason)}\n${rule ? `  decided by: ${printRule(rule)}\n` : ""}${also}`;
}

const printRule = (rule: Rule) => `${behaviorName(rule.behavior)} ${plain(rule.rule)} (${printScope(rule)})`;
