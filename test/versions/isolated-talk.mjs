// Runs a published agent and ours in a daemon's sandbox with a scripted API, and prints the result as JSON. Runs without a network.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 60_000;
const [, , path, own, settings] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-isolated-")));
const project = join(root, "project");
mkdirSync(project);

const command = `touch made.txt; touch ${root}/outside; cat /proc/net/dev | wc -l; curl -sS -m 5 http://example.com`;
const api = await startMessagesApi({
  "make-a-file": { tool: { name: "Bash", input: { command, description: "Make it" } } },
  tool_result: { text: "That is done." },
});

const env = {
  PATH: process.env.PATH,
  HOME: root,
  AGENTWIRE_HOME: join(root, "state"),
  ANTHROPIC_BASE_URL: api.url,
  ANTHROPIC_API_KEY: "test-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};
const sandbox = JSON.parse(settings);
const agents = [
  { name: "official", path, sandbox },
  { name: "own", path: own, sandbox },
];

async function turn({ sessions, questions }, agent) {
  const { session } = await sessions.createSession({ cwd: project, agent });
  const sessionId = session.id;
  const { seq } = await sessions.sendPrompt({ sessionId, text: "make-a-file" });
  const said = { texts: [], results: [], errors: [] };
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const { body } of events) {
      if (body.case === "permissionAsked") {
        const decision = { case: "allow", value: {} };
        await questions.decide({ questionId: body.value.question.id, decision });
      }
      if (body.case === "text") said.texts.push(body.value.text);
      if (body.case === "toolCallResult") said.results.push(body.value.text);
      if (body.case === "error") said.errors.push(body.value.message);
      const isOver = body.case === "statusChange" && body.value.status === SessionStatus.IDLE;
      if (!isOver && !(body.case === "error" && body.value.fatal)) continue;
      const made = join(project, "made.txt");
      said.made = existsSync(made);
      rmSync(made, { force: true });
      return said;
    }
  return said;
}

const out = {};
try {
  const daemon = await openDaemon({ ...defaultConfig(env, project), agents, spareProcesses: 0 });
  out.official = await turn(daemon, "official");
  out.own = await turn(daemon, "own");
  const { agents: found } = await daemon.health.healthDetails({});
  out.versions = found.map(({ claudeCode }) => claudeCode.version);
  out.outside = existsSync(join(root, "outside"));
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
