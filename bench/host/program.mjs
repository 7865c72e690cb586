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
 * A program that says these lines `times` over for one prompt, as fast as they are taken: what is measured is who reads. `path`
 * is where it is; `remove` takes it away.
 */
export function makeAgent(lines, times = 1) {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-host-"));
  const [path, said] = [join(folder, "agent"), join(folder, "said.jsonl")];
  writeFileSync(said, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(path, script(said, times), { mode: 0o755 });
  return { path, count: lines.length * times, remove: () => rmSync(folder, { recursive: true }) };
}

/** Answers the handshake, waits for the prompt, speaks, and goes when its input ends. */
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

/** Pieces of a reply, as most lines of an agent are. */
export function deltas(count) {
  return Array.from({ length: count }, (_, i) => ({
    type: "stream_event",
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `word ${i} ` } },
    session_id: SESSION,
    parent_tool_use_id: null,
    uuid: "1c3f0b63-7b7d-4b2f-8a1f-1e7a4b2c3d4e",
  }));
}

/** Results of tools of 1 MB each. */
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
