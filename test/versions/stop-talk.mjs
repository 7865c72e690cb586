// Stops a daemon whose agent runs a tool while another prompt waits, starts the next daemon, and prints how often the model received
// each prompt, as JSON. Runs without a network.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 90_000;
const [, , path] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-stop-")));
const project = join(root, "project");
mkdirSync(project);
const begun = join(root, "begun");
const command = `touch ${begun}; python3 -c 'import time; time.sleep(60)'`;
const api = await startMessagesApi({
  "first-prompt": { tool: { name: "Bash", input: { command, description: "Wait" } } },
  "second-prompt": { text: "Seen." },
  tool_result: { text: "That is done." },
});
const env = {
  PATH: process.env.PATH,
  HOME: root,
  CLAUDE_CONFIG_DIR: join(root, ".claude"),
  AGENTWIRE_HOME: join(root, "state"),
  ANTHROPIC_BASE_URL: api.url,
  ANTHROPIC_API_KEY: "test-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  IS_SANDBOX: "1",
};

/** The number of requests for a prompt: those in which only the agent's notes follow it. */
const asked = (text) =>
  api.requests.filter(
    ({ messages, tools }) => tools?.length > 0 && JSON.stringify(messages.at(-1)).includes(text),
  ).length;

async function until(condition) {
  const end = performance.now() + STEP_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error("it took too long");
    await setTimeout(50);
  }
}

const out = {};
try {
  const config = {
    ...defaultConfig(env, project),
    agents: [{ name: "claude", path }],
    spareProcesses: 0,
    trustedFolders: [root],
  };
  const first = await openDaemon(config);
  const wish = { cwd: project, permissionMode: "bypassPermissions" };
  const { id: sessionId } = (await first.sessions.createSession(wish)).session;
  await first.sessions.sendPrompt({ sessionId, text: "first-prompt" });
  await until(() => existsSync(begun));
  await first.sessions.sendPrompt({ sessionId, text: "second-prompt" });
  // The agent reports the prompt as queued once it has received it.
  await setTimeout(1000);
  await first.running.stop(0);
  out.seenBeforeStop = asked("second-prompt");

  const next = await openDaemon(config);
  const isOver = async () => {
    const { session, queue } = await next.sessions.getSession({ sessionId });
    return session.status === SessionStatus.IDLE && queue.length === 0;
  };
  await until(isOver);
  out.seen = asked("second-prompt");
  const { events } = await next.sessions.listEvents({ sessionId, pageSize: 1000 });
  out.said = events.flatMap(({ body }) => (body.case === "text" ? [body.value.text] : []));
  await next.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
