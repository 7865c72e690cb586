import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A Messages API on the loopback interface that answers at once: each request with tools gets the next reply from `reply`. Its texts are
 * also available over Chat Completions.
 */
export async function startMessagesApi(reply) {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.url === "/v1/chat/completions") return sendChunks(response, reply());
    if (request.method !== "POST" || !request.url.startsWith("/v1/messages")) return response.end("{}");
    // Parsing the body would add to the agents' times. Requests without tools ask for titles and the like.
    const message = newMessage(++count, body.includes('"tools":[{') ? reply() : [text("ok")]);
    if (body.includes('"stream":true')) sendEvents(response, message);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(message));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A text block that is streamed in the given pieces. */
export const text = (...pieces) => ({ type: "text", pieces });

/** A block that calls a tool. */
export const toolUse = (name, input) => ({ type: "tool_use", name, input });

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function newMessage(number, blocks) {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5",
    content: blocks.map((block, index) => newBlock(block, `toolu_${number}_${index}`)),
    stop_reason: blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: USAGE,
  };
}

function newBlock({ pieces, ...block }, id) {
  return block.type === "text" ? { ...block, text: pieces.join(""), pieces } : { ...block, id };
}

function sendEvents(response, { content, stop_reason, ...message }) {
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${message.id}` });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

function sendChunks(response, blocks) {
  const chunk = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const usage = {
    prompt_tokens: USAGE.input_tokens,
    completion_tokens: USAGE.output_tokens,
    total_tokens: 15,
  };
  const chunks = [
    ...blocks.flatMap(({ pieces }) => pieces.map((content) => chunk({ content }))),
    { ...chunk({}, "stop"), usage },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("")}data: [DONE]\n\n`);
}

function blockEvents(block, index) {
  const delta = (value) => ({ type: "content_block_delta", index, delta: value });
  const [empty, deltas] =
    block.type === "text"
      ? [{ type: "text", text: "" }, block.pieces.map((piece) => delta({ type: "text_delta", text: piece }))]
      : [
          { ...block, input: {} },
          [delta({ type: "input_json_delta", partial_json: JSON.stringify(block.input) })],
        ];
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas,
    { type: "content_block_stop", index },
  ];
}
