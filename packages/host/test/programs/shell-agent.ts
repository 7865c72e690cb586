import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Deadlines } from "../../src/deadlines.ts";
import { openLink } from "../../src/link/agent-link.ts";
import type { Link } from "../../src/link/link.ts";

const SESSION = '"uuid":"00000000-0000-4000-8000-000000000001","session_id":"s"';

const MESSAGE =
  '"id":"m","type":"message","role":"assistant","model":"m","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}';

/** One turn, line by line. */
export const FRAMES = {
  init: `{"type":"system","subtype":"init","cwd":"/","tools":["Bash"],"mcp_servers":[],"model":"m","permissionMode":"default","slash_commands":[],"apiKeySource":"none","output_style":"default",${SESSION}}`,
  text: `{"type":"assistant","message":{${MESSAGE},"content":[{"type":"text","text":"hi"}]},"parent_tool_use_id":null,${SESSION}}`,
  tool: `{"type":"assistant","message":{${MESSAGE},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]},"parent_tool_use_id":null,${SESSION}}`,
  toolResult: `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]},"parent_tool_use_id":null,${SESSION}}`,
  result: `{"type":"result","subtype":"success","is_error":false,"result":"hi","duration_ms":1,"duration_api_ms":1,"num_turns":1,"total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},${SESSION}}`,
  failed: `{"type":"result","subtype":"success","is_error":true,"result":"no","duration_ms":1,"duration_api_ms":1,"num_turns":1,"total_cost_usd":0,"usage":{"input_tokens":1,"output_tokens":1},${SESSION}}`,
  started: `{"type":"system","subtype":"task_started","task_id":"k","description":"d",${SESSION}}`,
  notified: `{"type":"system","subtype":"task_notification","task_id":"k","status":"completed","output_file":"","summary":"",${SESSION}}`,
} as const;

/** A shell function for every frame, and some for requests. */
const PRELUDE = `
${Object.entries(FRAMES)
  .map(([name, line]) => `${name}() { printf '%s\\n' '${line}'; }`)
  .join("\n")}
next() { IFS= read -r line; }
answer() {
  id=\${line#*'"request_id":"'}; id=\${id%%'"'*}
  printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\\n' "$id"
}
ask() {
  printf '{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t1"}}\\n'
}
`;

/** The command line of an agent written as a shell script: quick to start, and as faulty as a test needs. */
export function shellAgent(script: string) {
  return { command: "sh", args: ["-c", `${PRELUDE}\n${script}`], env: { PATH: process.env.PATH } };
}

/** Short enough for a test, long enough for a busy machine. */
export const SHORT: Partial<Deadlines> = { closeMs: 300, terminateMs: 500, exitMs: 1000 };

type Options = Partial<Parameters<typeof openLink>[0]>;

/** A link to such an agent, closed after the test. */
export function linkTo(
  script: string,
  options: Options = {},
  handlers: Parameters<typeof openLink>[1] = {},
): Link {
  const link = openLink(
    { ...shellAgent(script), ...options, deadlines: { ...SHORT, ...options.deadlines } },
    handlers,
  );
  onTestFinished(async () => {
    await link.close();
  });
  return link;
}

/** A prompt, as a host sends it. */
export const PROMPT = {
  type: "user",
  message: { role: "user", content: "go" },
  parent_tool_use_id: null,
} as const;

/** The types of all messages of a link until its end. */
export async function typesOf(link: Link): Promise<string[]> {
  const types: string[] = [];
  for await (const message of link.messages) types.push(message.type);
  return types;
}

/** A folder for one test, removed with it. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Measures how long something takes. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
