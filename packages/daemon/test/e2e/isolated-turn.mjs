// Runs one command in an isolated agent under its own daemon, with the descriptors it was started with, and prints the outcome.
import { SessionStatus } from "@agentwire/api";
import { defaultConfig } from "@agentwire/daemon";
import { readSettings } from "@agentwire/daemon/settings";
import { openDaemon } from "./open-daemon.mjs";

const [, , settings, project, command] = process.argv;
const { config } = readSettings(settings, defaultConfig(process.env, project));
const { running, sessions, questions } = await openDaemon({ ...config, spareProcesses: 0 });
const { session } = await sessions.createSession({ cwd: project });
const sessionId = session.id;
const { seq } = await sessions.sendPrompt({ sessionId, text: `run \`${command}\`` });
const said = [];
const isOver = ({ status }) => status === SessionStatus.IDLE || status === SessionStatus.FAILED;
watching: for await (const { events } of sessions.watch({ sessionId, afterSeq: seq }))
  for (const { body } of events) {
    if (body.case === "permissionAsked") {
      const decision = { case: "allow", value: {} };
      await questions.decide({ questionId: body.value.question.id, decision });
    }
    if (body.case === "toolCallResult") said.push(body.value.text);
    if (body.case === "error") said.push(body.value.message);
    if (body.case === "statusChange" && isOver(body.value)) break watching;
  }
await running.stop();
process.stdout.write(JSON.stringify(said), () => process.exit(0));
