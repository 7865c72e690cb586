import { options, prompt, sdk, show } from "./setup.mjs";

// Interrupts an endless reply; the session continues with the next prompt.
let results = 0;
let stopped = () => {};
async function* prompts() {
  yield prompt("Tell me everything");
  await new Promise((resolve) => {
    stopped = resolve;
  });
  yield prompt("In one word?");
}

const query = sdk.query({
  prompt: prompts(),
  options: options("interrupt", { includePartialMessages: true }),
});
let asked = false;
for await (const message of query) {
  show(message);
  if (message.type === "stream_event" && message.event.type === "content_block_delta" && !asked) {
    asked = true;
    show({ interrupted: await query.interrupt() });
  }
  if (message.type === "result" && ++results === 1) stopped();
}
