// Runs one agent through a daemon in an untrusted checkout, then in the trusted one, with a scripted API. Prints as JSON what the checkout
// caused to run. Runs without a network.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 120_000;
const [, , path] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-trust-")));
const project = join(root, "project");
const marks = join(root, "marks");
mkdirSync(marks);
for (const folder of ["agents", "commands"]) mkdirSync(join(project, ".claude", folder), { recursive: true });

const put = (name, value) =>
  writeFileSync(join(project, name), typeof value === "string" ? value : JSON.stringify(value), {
    mode: 0o755,
  });
const touch = (name) => `touch ${join(marks, name)}`;
const hook = (name) => [{ hooks: [{ type: "command", command: touch(name) }] }];
put(".claude/settings.json", {
  hooks: { SessionStart: hook("hook"), UserPromptSubmit: hook("prompt-hook") },
  permissions: { allow: ["Bash(touch:*)"] },
  enableAllProjectMcpServers: true,
});
put(".claude/settings.local.json", { hooks: { SessionStart: hook("local-hook") } });
put("server.sh", `#!/bin/sh\n${touch("mcp-server")}\n`);
put(".mcp.json", { mcpServers: { bad: { command: join(project, "server.sh") } } });
put(".claude/commands/c.md", `---\nallowed-tools: Bash(touch:*)\n---\nRun !\`${touch("command")}\`\n`);
put("CLAUDE.md", "text-of-claude-md\n");

const api = await startMessagesApi({
  "touch-it": { tool: { name: "Bash", input: { command: touch("allowed"), description: "Touch" } } },
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

/** Sends a prompt, denies everything that is asked, and watches until the session is idle. Returns the notices about trust. */
async function turn({ sessions, questions }, sessionId, text) {
  const { seq } = await sessions.sendPrompt({ sessionId, text });
  const notices = [];
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const { body } of events) {
      if (body.case === "permissionAsked")
        await questions.decide({ questionId: body.value.question.id, decision: { case: "deny", value: {} } });
      if (body.case === "rawMessage" && body.value.subtype === "informational") notices.push(body.value.json);
      if (body.case === "error") notices.push(body.value.message);
      const { status } = body.case === "statusChange" ? body.value : {};
      if (status === SessionStatus.IDLE || status === SessionStatus.FAILED) return notices;
    }
  return notices;
}

/** What a checkout caused to run in a session, and the notices. */
async function visit(daemon, id) {
  const notices = [];
  for (const text of ["touch-it", "/c"]) notices.push(...(await turn(daemon, id, text)));
  const done = readdirSync(marks).sort();
  for (const name of done) rmSync(join(marks, name));
  return { done, notices, claudeMd: JSON.stringify(api.requests.splice(0)).includes("text-of-claude-md") };
}

const out = {};
try {
  const config = { ...defaultConfig(env, project), agents: [{ name: "claude", path }], spareProcesses: 0 };
  const daemon = await openDaemon(config);
  const strange = (await daemon.sessions.createSession({ cwd: project })).session.id;
  out.strange = await visit(daemon, strange);
  await daemon.sessions.createSession({ cwd: project, trust: true });
  out.trusted = await visit(daemon, strange);
  const { entries } = await daemon.audit.listAuditEntries({ kind: "trust" });
  out.audited = entries.map(({ action, subject }) => `${action} ${subject === project}`);
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
