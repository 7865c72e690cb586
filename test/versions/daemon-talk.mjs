// Runs one agent through a daemon with a scripted API and prints the result as JSON. Runs without a network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompatibilityLevel, HealthStatus, PromptState, SessionStatus, WorktreeEnd } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 60_000;
const [, , path, isMoved] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-versions-")));
const project = join(root, "project");
mkdirSync(project);

const QUESTION = {
  question: "Which database?",
  header: "Database",
  options: [
    { label: "PostgreSQL", description: "A server" },
    { label: "SQLite", description: "A file" },
  ],
  multiSelect: false,
};

const api = await startMessagesApi({
  "say-hello": { text: "Hello there." },
  "make-a-file": { tool: { name: "Bash", input: { command: "touch made.txt", description: "Make it" } } },
  "ask-me": { tool: { name: "AskUserQuestion", input: { questions: [QUESTION] } } },
  tool_result: { text: "That is done." },
  "talk-for-long": { text: "word ", pieces: 600, pauseMs: 50 },
  "go-on": { text: "Going on." },
  "what-did-I-say": { text: "I remember." },
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
};

const open = () =>
  openDaemon({
    ...defaultConfig(env, project),
    agents: [{ name: "claude", path }],
    spareProcesses: 0,
    // Nothing in the project needs trust, and each check for trust would start a process.
    trustedFolders: [root],
  });

/** Sends a prompt and watches until the session is idle; `onEvent` may act in the meantime. */
async function turn({ sessions }, sessionId, text, onEvent = () => {}) {
  const { seq } = await sessions.sendPrompt({ sessionId, text });
  const events = [];
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events: page } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const event of page) {
      events.push(event.body);
      await onEvent(event.body);
      const isOver = event.body.case === "statusChange" && event.body.value.status === SessionStatus.IDLE;
      if (isOver || (event.body.case === "error" && event.body.value.fatal)) return summary(events);
    }
  return summary(events);
}

/** A session in a worktree that creates a file: where the file exists before and after the merge. */
async function inWorktree(daemon) {
  const repository = join(root, "repository");
  mkdirSync(repository);
  const git = (...args) => execFileSync("git", args, { cwd: repository, env, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  git("commit", "--allow-empty", "--message=first");
  const { session } = await daemon.sessions.createSession({ cwd: repository, worktree: { name: "wt" } });
  await turn(daemon, session.id, "make-a-file", (body) => allow(daemon, body));
  const made = () => existsSync(join(repository, "made.txt"));
  const before = made();
  const there = existsSync(join(session.worktree.path, "made.txt"));
  if (!there) return { before, there };
  await daemon.sessions.endWorktree({ sessionId: session.id, end: WorktreeEnd.MERGE, commitMessage: "made" });
  return { before, there, after: made(), left: existsSync(session.worktree.path) };
}

/** Prompts that wait while a question is open, with the last one moved to the front: the order in which they start. */
async function inNewOrder(daemon) {
  const { session } = await daemon.sessions.createSession({ cwd: project });
  const sessionId = session.id;
  const texts = new Map();
  const begun = [];
  await turn(daemon, sessionId, "make-a-file", async (body) => {
    if (body.case === "promptChange" && body.value.state === PromptState.STARTED)
      begun.push(texts.get(body.value.promptId) ?? "first");
    if (body.case !== "permissionAsked") return;
    for (const text of ["go-on", "say-hello"]) {
      const { promptId } = await daemon.sessions.sendPrompt({ sessionId, text });
      texts.set(promptId, text);
    }
    const [, promptId] = texts.keys();
    await daemon.sessions.movePrompt({ sessionId, promptId, position: 1 });
    await allow(daemon, body);
  });
  return begun;
}

async function allow(daemon, body) {
  if (body.case !== "permissionAsked") return;
  const decision = { case: "allow", value: {} };
  await daemon.questions.decide({ questionId: body.value.question.id, decision });
}

function summary(events) {
  const of = (name) => events.filter((body) => body.case === name).map((body) => body.value);
  const [end] = of("turnComplete");
  return {
    texts: of("text").map(({ text }) => text.trim()),
    deltas: of("textDelta").length > 0,
    asked: of("permissionAsked").map(({ question }) => question.toolName),
    results: of("toolCallResult").map(({ isError, text }) => (isError ? "error" : text)),
    ended: end ? { isError: end.isError, subtype: end.subtype } : null,
    errors: of("error").map(({ code, message }) => `${code}: ${message}`),
  };
}

const out = {};
try {
  let daemon = await open();
  out.notice = daemon.running.notice;
  const { session } = await daemon.sessions.createSession({ cwd: project });
  const id = session.id;
  out.turn = await turn(daemon, id, "say-hello");
  out.permission = await turn(daemon, id, "make-a-file", (body) => allow(daemon, body));
  out.permission.made = existsSync(join(project, "made.txt"));
  out.worktree = await inWorktree(daemon);
  if (isMoved) out.order = await inNewOrder(daemon);
  out.question = await turn(daemon, id, "ask-me", async (body) => {
    if (body.case !== "questionAsked") return;
    const answers = { "Which database?": "SQLite" };
    await daemon.questions.answer({ questionId: body.value.question.id, answers });
  });
  let isInterrupted = false;
  const interrupt = async () => {
    if (isInterrupted) return;
    isInterrupted = true;
    await daemon.sessions.interrupt({ sessionId: id });
  };
  // An agent without deltas is interrupted after its turn has started.
  const { deltas } = out.turn;
  out.interrupt = await turn(daemon, id, "talk-for-long", async (body) => {
    if (body.case === (deltas ? "textDelta" : "sessionInfo")) await interrupt();
  });
  out.next = await turn(daemon, id, "go-on");
  const { lines } = await daemon.sessions.listRawLines({ sessionId: id });
  out.rawLines = lines.length > 0 && lines.every(({ line }) => typeof JSON.parse(line).type === "string");
  await daemon.running.stop();
  daemon = await open();
  out.resume = await turn(daemon, id, "what-did-I-say");
  out.resume.hasHistory = api.requests.some(({ messages }) => {
    const talk = JSON.stringify(messages);
    return talk.includes("Hello there.") && talk.includes("what-did-I-say");
  });
  const { claudeCode, degradation, status, agents } = await daemon.health.healthDetails({});
  out.health = {
    status: HealthStatus[status],
    version: claudeCode.version,
    level: CompatibilityLevel[claudeCode.level],
    message: claudeCode.message,
    dialect: agents[0].dialect,
    unknownTypes: degradation.unknownTypes,
    missingFeatures: degradation.missingFeatures,
    parseErrors: Number(degradation.parseErrorsFatal + degradation.parseErrorsTolerated),
  };
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
