// Runs one agent with a scripted API and a tool that is silent for a long time, first undisturbed and then with the agent frozen, and
// prints how each turn ended, as JSON. Runs without a network.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "@agentwire/host";
import { startMessagesApi } from "./messages-api.mjs";

const [, , agent] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-frozen-")));
const cwd = join(root, "project");
mkdirSync(cwd);
const command = "timeout 16 tail -f /dev/null; echo woken";
const api = await startMessagesApi({
  "run-the-tool": { tool: { name: "Bash", input: { command, description: "Wait" } } },
  tool_result: { text: "That is done." },
});
const env = {
  PATH: process.env.PATH,
  HOME: root,
  CLAUDE_CONFIG_DIR: join(root, ".claude"),
  ANTHROPIC_BASE_URL: api.url,
  ANTHROPIC_API_KEY: "test-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};

const probes = [];

/** One turn with the tool; calls `onTool` when it starts. */
async function turn(session, onTool) {
  const before = probes.length;
  session.send("run-the-tool");
  let result;
  try {
    for await (const message of session.messages) {
      const calls =
        message.type === "assistant" && message.message.content.some(({ type }) => type === "tool_use");
      if (calls) onTool(session);
      if (message.type !== "result") continue;
      result = message.subtype;
      break;
    }
  } catch {
    // How the session ended says why.
  }
  return { result, answers: probes.length - before };
}

const out = {};
try {
  // One agent for both turns: a start takes seconds of CPU time, and the first turn does not affect the second.
  const session = await openSession({
    agent,
    cwd,
    env,
    permissions: (request) => ({ behavior: "allow", updatedInput: request.input }),
    deadlines: { silenceMs: 5000, toolMs: 60_000 },
    onMessage: (message) => {
      if (message.type === "control_response") probes.push(message);
    },
  });
  out.busy = await turn(session, () => {});
  // The tool must be running when the agent freezes.
  const frozen = await turn(session, ({ pid }) => setTimeout(() => process.kill(pid, "SIGSTOP"), 1000));
  const { error } = frozen.result === undefined ? await session.ended : await session.close();
  out.frozen = { ...frozen, error: error?.code, text: error?.message };
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
