import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Prints what is written into its pipe, so that one process provides the output of all agents at minimal cost. */
export const QUIET_AGENT = fileURLToPath(new URL("quiet-agent.sh", import.meta.url));

const TICK_MS = 5;
const line = (value) =>
  `${JSON.stringify({ ...value, uuid: "u", session_id: "quiet", parent_tool_use_id: null })}\n`;
const message = { id: "msg_1", type: "message", role: "assistant", model: "quiet", content: [], usage: {} };
const event = (value) => line({ type: "stream_event", event: value });
const delta = (text) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const BEGIN =
  line({ type: "system", subtype: "init", cwd: "/", model: "quiet", tools: [], mcp_servers: [] }) +
  event({ type: "message_start", message });
const END =
  line({ type: "assistant", message: { ...message, content: [{ type: "text", text: "done" }] } }) +
  line({
    type: "result",
    subtype: "success",
    is_error: false,
    result: "done",
    duration_ms: 1,
    num_turns: 1,
    usage: {},
  });
const now = () => performance.timeOrigin + performance.now();

/** Writes the output of many agents from this process; each delta contains the time at which it was written. */
export class Voices {
  #folder = mkdtempSync(join(tmpdir(), "agentwire-bench-voices-"));
  #pipes;

  constructor(count) {
    this.paths = Array.from({ length: count }, (_, i) => join(this.#folder, String(i)));
    execFileSync("mkfifo", this.paths);
    // Opened for reading too, so that it does not wait for its reader. The reader sees no end of file until this descriptor is closed.
    this.#pipes = this.paths.map((path) => openSync(path, constants.O_RDWR));
  }

  /** Starts a reply of each agent. */
  begin() {
    for (const pipe of this.#pipes) writeSync(pipe, BEGIN + delta(String(now())));
  }

  /** Writes this many lines per second for each agent, at different times. */
  async talk(seconds, perSecond) {
    const count = this.#pipes.length;
    const total = count * seconds * perSecond;
    const began = performance.now();
    for (let said = 0; said < total; ) {
      const due = Math.min(total, ((performance.now() - began) / 1000) * perSecond * count);
      for (; said < due; said++) writeSync(this.#pipes[said % count], delta(String(now())));
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    return total;
  }

  /** Ends the reply of each agent. */
  end() {
    for (const pipe of this.#pipes.splice(0)) {
      writeSync(pipe, END);
      closeSync(pipe);
    }
  }

  close() {
    this.end();
    rmSync(this.#folder, { recursive: true });
  }
}
