// A Chat Completions server whose streams send an event with the time in it every 100 ms.
import { createServer } from "node:http";

const EVERY_MS = 100;

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const { max_tokens: events } = JSON.parse(Buffer.concat(pieces));
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  // Streams start at different points of the interval, as real ones do.
  setTimeout(() => {
    const timer = setInterval(() => {
      response.write(chunk({ content: `@${(performance.timeOrigin + performance.now()).toFixed(3)}@` }));
      if (++sent < events) return;
      clearInterval(timer);
      response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
    }, EVERY_MS);
    response.on("close", () => clearInterval(timer));
  }, Math.random() * EVERY_MS);
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify(server.address())));
