import { spawn } from "node:child_process";
import { once } from "node:events";

/** Reads an agent's output for one prompt with an SDK's `query()`. */
export const withQuery = (query) => async (agent) => {
  let count = 0;
  for await (const message of query({
    prompt: "go",
    options: { pathToClaudeCodeExecutable: agent.path, includePartialMessages: true, settingSources: [] },
  })) {
    if (message.type === "result") break;
    count++;
  }
  check(count, agent);
};

/** The minimum that any host must do: split at newlines and JSON.parse, without a line limit, checks or error handling. */
export async function withBareLoop(agent) {
  const child = spawn(agent.path, [], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  child.stdin.write('{"type":"user","message":{"role":"user","content":"go"}}\n');
  let count = 0;
  for await (const message of messagesOf(child.stdout)) {
    if (message.type === "result") break;
    if (message.type !== "control_response") count++;
  }
  child.stdin.end();
  await once(child, "exit");
  check(count, agent);
}

async function* messagesOf(stdout) {
  let parts = [];
  for await (const chunk of stdout) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      const line = parts.length > 0 ? Buffer.concat([...parts, piece]) : piece;
      yield JSON.parse(line.toString("utf8"));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

function check(count, agent) {
  if (count !== agent.count) throw new Error(`${count} of ${agent.count} messages`);
}
