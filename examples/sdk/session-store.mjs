import { options, sdk, show } from "./setup.mjs";

// The transcript goes to a store of the host's own, from which another process takes it up.
const sessionStore = new sdk.InMemorySessionStore();
let session;
for await (const message of sdk.query({
  prompt: "My name is Ada.",
  options: options("resume", { sessionStore }),
})) {
  show(message);
  if (message.type === "result") session = message.session_id;
}
const again = options("resume-again", { sessionStore, resume: session });
for await (const message of sdk.query({ prompt: "What is my name?", options: again })) show(message);
