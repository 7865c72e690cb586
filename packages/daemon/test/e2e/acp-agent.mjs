// An agent built on the official library of the Agent Client Protocol: does what its prompts say and stores them in a file.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const memory = (id) => join(process.env.ACP_AGENT_MEMORY ?? "/nowhere", `${id}.json`);
const sessions = new Map();
const MODES = ["default", "yolo"].map((id) => ({ id, name: id }));
const MODELS = ["small", "large"].map((value) => ({ value, name: value }));
const state = ({ mode, model }) => ({
  modes: { currentModeId: mode, availableModes: MODES },
  configOptions: [
    { type: "select", id: "m", name: "Model", category: "model", currentValue: model, options: MODELS },
  ],
});
const sessionOf = ({ sessionId }) => {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.invalidParams({ details: `no session ${sessionId}` });
  return session;
};

/** What each prompt makes the agent do; `say` sends an update. */
const ACTS = {
  async hello({ say }) {
    await say({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "They greet." } });
    await say({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello " } });
    await say({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "there." } });
    await say({
      sessionUpdate: "plan",
      entries: [{ content: "Be nice", priority: "high", status: "in_progress" }],
    });
    await say({
      sessionUpdate: "usage_update",
      used: 10,
      size: 1000,
      cost: { amount: 0.25, currency: "USD" },
    });
  },
  async run({ say, client, sessionId, words }) {
    const command = words.join(" ") || "make all";
    const toolCall = {
      toolCallId: "call-1",
      title: `\`${command}\``,
      kind: "execute",
      status: "pending",
      rawInput: { command },
    };
    await say({ sessionUpdate: "tool_call", ...toolCall });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall,
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "always", name: "Always", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    const text = outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
    const content = [{ type: "content", content: { type: "text", text } }];
    const status = text === "yes" || text === "always" ? "completed" : "failed";
    await say({ sessionUpdate: "tool_call_update", toolCallId: "call-1", status, content });
  },
  async write({ client, sessionId, text, words: [path, ...content] }) {
    await client.request(methods.client.fs.writeTextFile, { sessionId, path, content: content.join(" ") });
    const read = await client.request(methods.client.fs.readTextFile, { sessionId, path });
    await text(`read ${read.content}`);
  },
  async terminal({ client, sessionId, text, words }) {
    const handle = await client.createTerminal({ sessionId, command: words.join(" ") });
    const { exitCode } = await handle.waitForExit();
    const { output } = await handle.currentOutput();
    await handle.release();
    await text(`exit ${exitCode}: ${output.trim()}`);
  },
  async form({ client, sessionId, text }) {
    const answer = await client.request(methods.client.elicitation.create, {
      sessionId,
      mode: "form",
      message: "Where to?",
      requestedSchema: {
        type: "object",
        properties: {
          host: { type: "string", title: "Host", minLength: 3 },
          port: { type: "integer", title: "Port", minimum: 1, maximum: 65535, default: 22 },
          tls: { type: "boolean", title: "Encrypted" },
        },
        required: ["host", "port"],
      },
    });
    await text(JSON.stringify(answer));
  },
  async page({ client, sessionId, text, words: [url] }) {
    const asked = { sessionId, mode: "url", message: "Sign in", url, elicitationId: "e1" };
    await text(JSON.stringify(await client.request(methods.client.elicitation.create, asked)));
  },
  async wait({ text, session }) {
    await text("Waiting.");
    await new Promise((resolve) => {
      session.cancel = resolve;
    });
    return "cancelled";
  },
  async servers({ text, session }) {
    await text(`It has ${session.servers.map(({ name }) => name).join(", ")}`);
  },
  async remember({ text, session }) {
    await text(`You said ${session.said.join(", ")}`);
  },
  async crash() {
    process.stderr.write("the agent falls over\n");
    process.exit(3);
  },
};

agent({ name: "test-agent" })
  .onRequest(methods.agent.initialize, ({ params }) => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: process.env.ACP_AGENT_MEMORY !== undefined },
    agentInfo: { name: "test-agent", title: "Test agent", version: "1.2.3" },
    authMethods: [{ id: "key", name: "API key" }],
    _meta: { client: params.clientInfo },
  }))
  .onRequest(methods.agent.authenticate, () => ({}))
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (process.env.ACP_AGENT_LOGIN) throw RequestError.authRequired();
    const session = {
      id: crypto.randomUUID(),
      said: [],
      mode: "default",
      model: "small",
      servers: params.mcpServers,
    };
    sessions.set(session.id, session);
    return { sessionId: session.id, ...state(session) };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const file = memory(params.sessionId);
    if (!existsSync(file)) throw RequestError.invalidParams({ details: "it was forgotten" });
    const session = {
      id: params.sessionId,
      said: JSON.parse(readFileSync(file, "utf8")),
      mode: "default",
      model: "small",
    };
    sessions.set(session.id, session);
    for (const text of session.said)
      await client.notify(methods.client.session.update, {
        sessionId: session.id,
        update: { sessionUpdate: "user_message_chunk", content: { type: "text", text } },
      });
    return state(session);
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    sessionOf(params).mode = params.modeId;
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    const session = sessionOf(params);
    session.model = params.value;
    return { configOptions: state(session).configOptions };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel?.())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const session = sessionOf(params);
    const { sessionId } = params;
    const [first] = params.prompt;
    const said = first?.type === "text" ? first.text : "";
    session.said.push(said);
    if (process.env.ACP_AGENT_MEMORY) writeFileSync(memory(sessionId), JSON.stringify(session.said));
    const say = (update) => client.notify(methods.client.session.update, { sessionId, update });
    const text = (message) =>
      say({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: message } });
    const [act, ...words] = said.split(" ");
    try {
      const stopReason = await (ACTS[act] ?? ACTS.hello)({ say, text, client, sessionId, session, words });
      return { stopReason: stopReason ?? "end_turn" };
    } catch (error) {
      await text(`failed: ${error.message}${error.data ? ` ${JSON.stringify(error.data)}` : ""}`);
      return { stopReason: "end_turn" };
    }
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
