// Runs one agent through a daemon with a scripted API and the console open in a browser, and prints the result as JSON. Runs without a
// network.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { AdminService, SessionStatus } from "@agentwire/api";
import { startTalkApi } from "@agentwire/conformance";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { AGENTS, programOf } from "./agents.mjs";

const STEP_MS = 120_000;
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const [, , name] = process.argv;
const { env: envFor, authMethod, restMs = 0 } = AGENTS[name];
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-soak-acp-")));
const project = join(root, "project");
mkdirSync(project);

const api = await startTalkApi({
  "say-hello": { text: "Hello there.", chunkSize: 4 },
  "make-a-file": { shell: "touch made.txt" },
  tool_result: { text: "That is done." },
  "talk-for-long": { text: "word ".repeat(2000), chunkSize: 5, chunkDelay: 50 },
  "go-on": { text: "Going on." },
  "what-did-I-say": { text: "I remember." },
  "still-there": { text: "Still here." },
});

const env = { PATH: process.env.PATH, HOME: root, AGENTWIRE_HOME: join(root, "state") };
const agent = {
  name,
  path: programOf(name),
  dialect: "acp",
  ...(authMethod && { authMethod }),
  // The folder in their environment also identifies the agent's processes.
  env: { ...envFor(api.url), AGENTWIRE_SOAK_ROOT: root },
};
const open = () => openDaemon({ ...defaultConfig(env, project), agents: [agent], spareProcesses: 0 });

/** Sends a prompt and watches until the session is idle; `onEvent` may act in the meantime. */
async function turn({ sessions }, sessionId, text, onEvent = () => {}) {
  const { seq } = await sessions.sendPrompt({ sessionId, text });
  const events = [];
  const signal = AbortSignal.timeout(STEP_MS);
  try {
    for await (const { events: page } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
      for (const { body } of page) {
        events.push(body);
        await onEvent(body);
        const isOver = body.case === "statusChange" && body.value.status === SessionStatus.IDLE;
        if (isOver || (body.case === "error" && body.value.fatal)) return summary(events);
      }
  } catch (error) {
    return { ...summary(events), errors: [`${error.message}`] };
  }
  return summary(events);
}

function summary(events) {
  const of = (kind) => events.filter((body) => body.case === kind).map((body) => body.value);
  const [end] = of("turnComplete");
  return {
    text: of("text")
      .map(({ text }) => text.trim())
      .join(" "),
    asked: of("permissionAsked").map(({ question }) => question.toolName),
    reason: end?.terminalReason ?? "",
    isError: end?.isError ?? true,
    errors: of("error").map(({ message }) => message),
  };
}

/** The console in a browser, showing a session; undefined if there is no browser. */
async function openConsole(daemon, sessionId) {
  const executablePath = BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) return undefined;
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(STEP_MS / 4);
  const { url } = await daemon.connect(AdminService).createConsoleLink({});
  await page.goto(url);
  await page.getByRole("link", { name: "New session" }).first().waitFor();
  await page.goto(`${new URL(url).origin}/#/session/${sessionId}`);
  const sees = async (text) =>
    page
      .getByText(text)
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      );
  return { sees, close: () => browser.close() };
}

/** Kills every process of the agent. */
function crash() {
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const isAgents = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`AGENTWIRE_SOAK_ROOT=${root}`);
      if (isAgents) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has already exited.
    }
  }
}

const out = {};
try {
  let daemon = await open();
  const { session } = await daemon.sessions.createSession({ cwd: project });
  const { id } = session;
  const page = await openConsole(daemon, id);
  const hello = await turn(daemon, id, "say-hello");
  out.start = hello.text === "Hello there." || hello;

  let isShown;
  const made = await turn(daemon, id, "make-a-file", async (body) => {
    if (body.case !== "permissionAsked") return;
    isShown = await page?.sees("touch made.txt");
    const decision = { case: "allow", value: {} };
    await daemon.questions.decide({ questionId: body.value.question.id, decision });
  });
  const isMade = existsSync(join(project, "made.txt"));
  out.tool = (isMade && made.asked.length === 1 && made.text.includes("That is done.")) || {
    ...made,
    isMade,
  };

  let isCut = false;
  const cut = await turn(daemon, id, "talk-for-long", async ({ case: kind }) => {
    if (kind !== "textDelta" || isCut) return;
    isCut = true;
    await daemon.sessions.interrupt({ sessionId: id });
  });
  out.cancel = cut.reason.startsWith("aborted") || cut;

  const next = await turn(daemon, id, "go-on");
  out.next = next.text === "Going on." || next;
  out.console = page
    ? isShown === true && (await page.sees("Hello there.")) && (await page.sees("Going on."))
    : "no browser here";
  await page?.close();

  await daemon.running.stop();
  await setTimeout(restMs);
  daemon = await open();
  const resumed = await turn(daemon, id, "what-did-I-say");
  const remembers = JSON.stringify(api.turns.at(-1)?.messages).includes("Hello there.");
  out.resume = (resumed.text === "I remember." && remembers) || { ...resumed, remembers };

  await setTimeout(restMs);
  const crashed = await turn(daemon, id, "talk-for-long", ({ case: kind }) => {
    if (kind === "textDelta") crash();
  });
  const after = await turn(daemon, id, "still-there");
  out.crash = (crashed.isError && after.text === "Still here.") || { crashed, after };
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
crash();
await api.close();
rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
