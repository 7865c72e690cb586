import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SESSION = "0b2e9a52-6a6c-4a1e-9f0e-0d6f3a1b2c3d";

const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "done",
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1 },
  session_id: SESSION,
  uuid: SESSION,
};

/**
 * Writes a program that answers one prompt with these lines `times` over, as fast as they are read, so that the reader is measured.
 * `path` is its path; `remove` deletes it.
 */
export function makeAgent(lines, times = 1) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-host-"));
  const [path, said] = [join(folder, "agent"), join(folder, "said.jsonl")];
  writeFileSync(said, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(path, script(said, times), { mode: 0o755 });
  return { path, count: lines.length * times, remove: () => rmSync(folder, { recursive: true }) };
}

/** Answers the handshake, waits for the prompt, writes its lines, and exits when its input ends. */
const script = (said, times) => `#!/bin/sh
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit
read -r line
id=\${line#*'"request_id":"'}
id=\${id%%'"'*}
printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\\n' "$id"
read -r line
i=0
while [ $i -lt ${times} ]; do cat '${said}'; i=$((i + 1)); done
printf '%s\\n' '${JSON.stringify(RESULT)}'
cat > /dev/null
`;

/** Deltas of a reply, like most lines of an agent. */
export function deltas(count) {
  return Array.from({ length: count }, (_, i) => ({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `word ${i} ` } },
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: "1c3f0b63-7b7d-4b2f-8a1f-1e7a4b2c3d4e",
  }));
}

/** Tool results of 1 MB each. */
export function largeResults(count) {
  const content = [
    {
      type: "tool_result",
      tool_use_id: "toolu_01",
      content: "A line of a file, as tools print it.\n".repeat(26_000),
    },
  ];
  const message = { role: "user", content };
  return Array(count).fill({
    type: "user",
    message,
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: SESSION,
  });
}
