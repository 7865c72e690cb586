import { options, sdk, show } from "./setup.mjs";

// Aborts a query from outside: the loop throws an AbortError.
const abortController = new AbortController();
const run = {
  prompt: "Tell me everything",
  options: options("abort", { abortController, includePartialMessages: true }),
};
try {
  for await (const message of sdk.query(run)) {
    show(message);
    if (message.type === "stream_event" && message.event.type === "content_block_delta")
      abortController.abort();
  }
} catch (error) {
  show({ aborted: error instanceof sdk.AbortError });
}
