// Makes calls that rules forbid, with one agent, through a daemon and with a scripted API. Prints the results as JSON. Runs without a
// network.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Disposition, RuleBehavior, RuleScope, SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 60_000;
const [, , path, ...modes] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-rules-")));
const project = join(root, "project");
mkdirSync(project);
const file = (name) => join(project, name);
for (const name of ["denied", "asked", "later", "open"])
  writeFileSync(file(`${name}.txt`), `content-of-${name}\n`);

const read = (name) => ({ tool: { name: "Read", input: { file_path: file(`${name}.txt`) } } });
const bash = (command) => ({ tool: { name: "Bash", input: { command, description: "Look" } } });
const api = await startMessagesApi({
  "read-the-denied": read("denied"),
  "read-the-asked": read("asked"),
  "read-the-later": read("later"),
  "read-the-open": read("open"),
  "cat-the-denied": bash("cat denied.txt"),
  "cat-the-asked": bash("cat asked.txt"),
  "grep-the-folder": bash("grep -r content-of-denied ."),
  "search-the-folder": {
    tool: { name: "Grep", input: { pattern: "content-of-denied", output_mode: "content", path: project } },
  },
  "run-the-denied": { tool: { name: "Bash", input: { command: "touch made.txt", description: "Make it" } } },
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
  // Lets root bypass permissions, which agents otherwise refuse.
  IS_SANDBOX: "1",
};

/** Sends a prompt, allows everything that is asked, and watches until the session is idle. */
async function turn({ sessions, questions }, sessionId, text) {
  const { seq } = await sessions.sendPrompt({ sessionId, text });
  const events = [];
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events: page } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const { body } of page) {
      events.push(body);
      if (body.case === "permissionAsked")
        await questions.decide({
          questionId: body.value.question.id,
          decision: { case: "allow", value: {} },
        });
      const isOver = body.case === "statusChange" && body.value.status === SessionStatus.IDLE;
      if (isOver || (body.case === "error" && body.value.fatal)) return summary(events);
    }
  return summary(events);
}

/** Whether a prompt that mentions a file sends its content to the model. */
async function mention(daemon, sessionId, name) {
  const before = api.requests.length;
  await turn(daemon, sessionId, `look at @${name}.txt`);
  const asked = api.requests.slice(before).map(({ messages }) => JSON.stringify(messages.slice(-1)));
  return asked.some((said) => said.includes(`content-of-${name}`));
}

/** The results, the number of questions, and the rules that decided. */
function summary(events) {
  const of = (name) => events.filter((body) => body.case === name).map((body) => body.value);
  return {
    results: of("toolCallResult").map(({ isError, text }) =>
      isError ? "error" : (/content-of-\w+/.exec(text)?.[0] ?? "done"),
    ),
    asked: of("permissionAsked").length,
    denied: of("permissionDecided").flatMap(({ disposition, rule }) =>
      disposition === Disposition.DENIED ? [rule] : [],
    ),
    notices: of("deprecation").map(({ message }) => message),
    errors: of("error").map(({ code, message }) => `${code}: ${message}`),
  };
}

const out = {};
try {
  const daemon = await openDaemon({
    ...defaultConfig(env, project),
    agents: [{ name: "claude", path }],
    spareProcesses: 0,
    // Nothing in the project needs trust, and each check for trust would start a process.
    trustedFolders: [root],
  });
  const rule = (behavior, text) =>
    daemon.rules.setRule({ rule: text, behavior, scope: RuleScope.USER, owner: "" });
  const notRead = await rule(RuleBehavior.DENY, "Read(denied.txt)");
  await rule(RuleBehavior.DENY, "Bash(touch:*)");
  await rule(RuleBehavior.ASK, "Read(asked.txt)");
  let id;
  for (const mode of modes) {
    const { session } = await daemon.sessions.createSession({ cwd: project });
    id = session.id;
    if (mode !== "default") await daemon.sessions.setMode({ sessionId: id, permissionMode: mode });
    const said = {};
    out[mode] = said;
    for (const what of ["read-the-open", "read-the-denied", "run-the-denied", "read-the-asked"])
      said[what] = await turn(daemon, id, what);
    said.made = existsSync(file("made.txt"));
  }
  // Continues the session of the last mode, the default one, because starting a new agent takes seconds of CPU time.
  out.unsaid = {};
  for (const what of ["cat-the-denied", "search-the-folder", "grep-the-folder", "cat-the-asked"])
    out.unsaid[what] = await turn(daemon, id, what);
  out.unsaid.mention = await mention(daemon, id, "denied");
  await rule(RuleBehavior.DENY, "Read(later.txt)");
  out.added = await turn(daemon, id, "read-the-later");
  out.unsaid.addedMention = await mention(daemon, id, "later");
  await daemon.rules.removeRule({ id: notRead.rule.id });
  out.unsaid.removedMention = await mention(daemon, id, "denied");
  out.removed = await turn(daemon, id, "read-the-denied");
  const { entries } = await daemon.audit.listAuditEntries({ kind: "decision" });
  out.audited = entries.filter(({ action }) => action === "denied").length;
  const { agents } = await daemon.health.healthDetails({});
  out.notice = agents[0].notice;
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
