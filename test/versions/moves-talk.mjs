// Starts a conversation with one agent at a node of a cluster and continues it at another node with another home folder. Prints the
// result as JSON. Runs without a network; the database is reached through a socket file.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeService, SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { openDaemon } from "../../packages/daemon/test/e2e/open-daemon.mjs";
import { startMessagesApi } from "./messages-api.mjs";

const STEP_MS = 60_000;
const [, , path, storeUrl] = process.argv;
const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-moves-")));
const project = join(root, "project");
mkdirSync(project);

const api = await startMessagesApi({
  "say-hello": { text: "Hello there." },
  "go-on": { text: "Going on." },
  "what-did-I-say": { text: "I remember." },
  "and-now": { text: "All of it." },
});

/** A node with a separate home folder: only the project is shared. */
function open(name) {
  const home = join(root, name);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    AGENTWIRE_HOME: join(home, "state"),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: "test-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  mkdirSync(join(home, ".claude"), { recursive: true });
  const config = defaultConfig(env, project);
  return openDaemon({
    ...config,
    agents: [{ name: "claude", path }],
    spareProcesses: 0,
    trustedFolders: [root],
    storeUrl,
    cluster: { ...config.cluster, name, sharedFolders: [project] },
  });
}

async function turn({ sessions }, sessionId, text) {
  const { seq } = await sessions.sendPrompt({ sessionId, text });
  const texts = [];
  const signal = AbortSignal.timeout(STEP_MS);
  for await (const { events } of sessions.watch({ sessionId, afterSeq: seq }, { signal }))
    for (const { body } of events) {
      if (body.case === "text") texts.push(body.value.text.trim());
      if (body.case === "error" && body.value.fatal) return [...texts, body.value.message];
      if (body.case === "statusChange" && body.value.status === SessionStatus.IDLE) return texts;
    }
  return texts;
}

/** Whether some request to the model contained this text together with the earlier ones. */
const recalled = (last, ...earlier) =>
  api.requests.some(({ messages }) => {
    const talk = JSON.stringify(messages);
    return talk.includes(last) && earlier.every((text) => talk.includes(text));
  });

const transcripts = (name) =>
  readdirSync(join(root, name, ".claude", "projects"), { recursive: true }).filter((file) =>
    file.endsWith(".jsonl"),
  );

const out = {};
try {
  const [one, two] = [await open("one"), await open("two")];
  const { session } = await one.sessions.createSession({ cwd: project });
  out.first = await turn(one, session.id, "say-hello");
  await one.connect(NodeService).moveSession({ sessionId: session.id, to: "two" });
  out.moved = await turn(two, session.id, "what-did-I-say");
  out.remembers = recalled("what-did-I-say", "say-hello", "Hello there.");
  await two.connect(NodeService).moveSession({ sessionId: session.id, to: "one" });
  out.back = await turn(one, session.id, "go-on");
  out.remembersAll = recalled("go-on", "say-hello", "what-did-I-say", "I remember.");
  // The node that runs the session stops without moving it to the other node first.
  await one.running.stop();
  out.takenOver = await turn(two, session.id, "and-now");
  out.remembersThen = recalled("and-now", "Going on.", "I remember.");
  out.files = [transcripts("one").length, transcripts("two").length];
  await two.running.stop();
} catch (error) {
  out.failure = `${error.name}: ${error.message}`;
}
api.close();
rmSync(root, { recursive: true, force: true });
process.stdout.write(JSON.stringify(out), () => process.exit(0));
