// A client that can be killed: sends prompts under keys, watches the session, and prints what was acknowledged.
import { request } from "node:http";

process.stdin.on("close", () => process.exit(1)).resume();
const [socketPath, sessionId, name] = process.argv.slice(2);
const SERVICE = "/agentwire.v1.SessionService";

function post(method, contentType, body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": contentType, "agentwire-client": name };
    request({ socketPath, method: "POST", path: `${SERVICE}/${method}`, headers }, resolve)
      .on("error", reject)
      .end(body);
  });
}

async function call(method, message) {
  const response = await post(method, "application/json", JSON.stringify(message));
  let text = "";
  for await (const chunk of response) text += chunk;
  return JSON.parse(text);
}

async function watch() {
  const message = Buffer.from(JSON.stringify({ sessionId, client: name }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const response = await post("Watch", "application/connect+json", Buffer.concat([head, message]));
  response.resume();
}

/** Sends a prompt until it is accepted: other clients may take the input in the meantime. */
async function send(key) {
  for (;;) {
    const { promptId, seq } = await call("SendPrompt", { sessionId, text: "talk 2", idempotencyKey: key });
    if (promptId !== undefined) return { promptId, seq };
    await call("TakeInput", { sessionId, client: name, force: true });
  }
}

await watch();
await call("TakeInput", { sessionId, client: name, force: true });
for (let i = 0; ; i++) {
  const key = `${name}-${i}`;
  process.stdout.write(`trying ${key}\n`);
  const { promptId, seq } = await send(key);
  process.stdout.write(`acked ${key} ${promptId} ${seq}\n`);
}
