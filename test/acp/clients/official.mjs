// Performs the tasks of the client score with the protocol's official library.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

const { answer = "allow_once", cancelAt, prompts } = JSON.parse(process.env.AGENTWIRE_TASK);
const child = spawn(process.env.AGENTWIRE_AGENT, [], { stdio: ["pipe", "pipe", "inherit"] });
child.once("exit", () => leave("the agent has exited"));

let text = "";
let isCancelled = false;
const { agent } = client({ name: "official" })
  .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => {
    const option = options.find(({ kind }) => kind === answer);
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  })
  .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") text += update.content.text;
    if (update.sessionUpdate !== cancelAt || isCancelled) return;
    isCancelled = true;
    void agent.notify(methods.agent.session.cancel, { sessionId });
  })
  .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));

try {
  const { protocolVersion } = await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {},
  });
  if (protocolVersion !== 1) throw new Error(`the agent speaks version ${protocolVersion}`);
  const { sessionId } = await agent.request(methods.agent.session.new, {
    cwd: process.cwd(),
    mcpServers: [],
  });
  for (const prompt of prompts) {
    text = "";
    await agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: prompt }],
    });
    process.stdout.write(`${text}\n`);
  }
  child.removeAllListeners("exit");
  child.stdin.end();
} catch (error) {
  leave(error.message);
}

function leave(reason) {
  process.stderr.write(`${reason}\n`);
  child.kill();
  process.exit(1);
}
