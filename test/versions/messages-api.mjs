import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";

/**
 * A Messages API on the loopback interface that chooses its reply by the last thing it was asked. Older agents send additional requests,
 * so replies in a fixed order would reach the wrong request. `answers` are pairs of a pattern and a reply.
 */
export async function startMessagesApi(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== "POST" || !/^\/v1\/messages(\?|$)/.test(request.url)) return response.end("{}");
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    requests.push(body);
    await answer(response, body, replyTo(body, answers) ?? { text: "ok" }, requests.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Agents append notes to what the user says, so the pattern with the last occurrence counts. */
function replyTo({ messages, tools }, answers) {
  if (!(tools?.length > 0)) return undefined;
  const said = JSON.stringify(messages);
  const places = Object.keys(answers).map((word) => [said.lastIndexOf(word), answers[word]]);
  const [place, reply] = places.reduce((last, next) => (next[0] > last[0] ? next : last));
  return place < 0 ? undefined : reply;
}

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

async function answer(response, { model, stream }, { text, tool, pieces, pauseMs = 0 }, number) {
  const block = tool ? { type: "tool_use", id: `toolu_${number}`, ...tool } : { type: "text", text };
  const end = { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null };
  const message = { id: `msg_${number}`, type: "message", role: "assistant", model, usage: USAGE };
  if (!stream) return response.end(JSON.stringify({ ...message, ...end, content: [block] }));
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  send({
    type: "message_start",
    message: { ...message, content: [], stop_reason: null, stop_sequence: null },
  });
  const empty = tool ? { ...block, input: {} } : { type: "text", text: "" };
  send({ type: "content_block_start", index: 0, content_block: empty });
  const deltas = tool
    ? [{ type: "input_json_delta", partial_json: JSON.stringify(tool.input) }]
    : Array(pieces ?? 1).fill({ type: "text_delta", text });
  for (const delta of deltas) {
    if (response.destroyed) return;
    send({ type: "content_block_delta", index: 0, delta });
    if (pauseMs > 0) await setTimeout(pauseMs);
  }
  send({ type: "content_block_stop", index: 0 });
  send({ type: "message_delta", delta: end, usage: USAGE });
  send({ type: "message_stop" });
  response.end();
}
