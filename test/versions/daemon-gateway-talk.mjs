// Runs a published agent through a daemon with models of a provider that speaks Chat Completions, outside and inside a sandbox, and
// prints the result as JSON. Runs without a network except the loopback interface.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ModelService, SessionStatus, UsageGrouping, UsageService } from "@agentwire/api";
import { startScriptedApi } from "@agentwire/conformance";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";

const STEP_MS = 60_000;
const [, , path, settings] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-daemon-gateway-")));
const project = join(root, "project");
mkdirSync(project);

const usage = { input_tokens: 1000, cache_read_input_tokens: 500, output_tokens: 100 };
const write = {
  type: "tool_use",
  id: "toolu_1",
  name: "Write",
  input: { file_path: join(project, "note.txt"), content: "x\n" },
};
const provider = await startScriptedApi({
  steps: [
    { content: [write], usage },
    { text: "Written.", usage },
    { text: "Another model.", usage },
    { text: "From inside.", usage },
  ],
});

const env = {
  PATH: process.env.PATH,
  HOME: root,
  AGENTWIRE_HOME: join(root, "state"),
  // None of these may reach the provider or the sandbox.
  ANTHROPIC_API_KEY: "key-for-claude",
  AGENTWIRE_PROVIDERS: JSON.stringify({
    shop: {
      baseUrl: `${provider.url}/v1`,
      apiKey: "key-for-shop",
      models: { coder: { prices: { input: 2, output: 10, cacheRead: 1 } } },
    },
  }),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
};
const agents = [
  { name: "claude", path },
  { name: "boxed", path, sandbox: JSON.parse(settings) },
];

/** The texts of a turn and its reported cost. */
async function turn({ sessions, questions }, sessionId) {
  const { seq } = await sessions.sendPrompt({ sessionId, text: "go on" });
  const said = { texts: [], asked: [], errors: [] };
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const { body } of events) {
      if (body.case === "permissionAsked") {
        said.asked.push(body.value.question.toolName);
        await questions.decide({
          questionId: body.value.question.id,
          decision: { case: "allow", value: {} },
        });
      }
      if (body.case === "text") said.texts.push(body.value.text);
      if (body.case === "error") said.errors.push(body.value.message);
      if (body.case === "usageReport")
        said.models = body.value.models.map(({ model, usage: used }) => [
          model,
          Number(used.inputTokens),
          used.costUsd ?? "unknown",
        ]);
      const isOver = body.case === "statusChange" && body.value.status === SessionStatus.IDLE;
      if (isOver || (body.case === "error" && body.value.fatal)) return said;
    }
  return said;
}

const out = {};
try {
  const daemon = await openDaemon({ ...defaultConfig(env, project), agents, spareProcesses: 0 });
  const { session } = await daemon.sessions.createSession({ cwd: project, model: "shop/coder" });
  out.priced = await turn(daemon, session.id);
  out.isWritten = existsSync(join(project, "note.txt"));
  await daemon.sessions.setModel({ sessionId: session.id, model: "shop/other" });
  out.unpriced = await turn(daemon, session.id);
  const boxed = await daemon.sessions.createSession({ cwd: project, agent: "boxed", model: "shop/coder" });
  out.boxed = await turn(daemon, boxed.session.id);
  const { rows } = await daemon.connect(UsageService).listUsage({ by: UsageGrouping.MODEL });
  out.booked = rows.map(({ key, usage: used }) => [key, used.costUsd ?? "unknown"]);
  const { models } = await daemon.connect(ModelService).listModels({ agent: "claude" });
  out.offered = models.some(({ name, provider: from }) => name === "default" && from === "");
  out.listed = models.filter(({ provider: from }) => from === "shop").map(({ name }) => name);
  const calls = provider.requests.all.map(({ path: at, headers, sent }) => [
    at,
    headers.authorization,
    sent.model,
  ]);
  out.calls = [...new Set(calls.map((call) => call.join(" ")))].sort();
  await daemon.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
await provider.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
