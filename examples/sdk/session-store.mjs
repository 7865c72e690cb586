import { options, sdk, show } from "./setup.mjs";

// The transcript is stored by the host, and another process resumes the session from there.
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
