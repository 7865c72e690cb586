import { options, sdk, show } from "./setup.mjs";

// Streams a reply as it is written.
let text = "";
const run = {
  prompt: "A line, please",
  options: options("partial-messages", { includePartialMessages: true }),
};
for await (const message of sdk.query(run)) {
  show(message);
  if (message.type === "stream_event" && message.event.delta?.type === "text_delta")
    text += message.event.delta.text;
}
show({ text });
