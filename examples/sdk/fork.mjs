import { options, sdk, show } from "./setup.mjs";

// A fork continues a session under a new id and leaves the original unchanged.
let session;
for await (const message of sdk.query({ prompt: "Count", options: options("fork") })) {
  show(message);
  if (message.type === "result") session = message.session_id;
}
const forked = sdk.query({
  prompt: "Go on",
  options: options("fork-again", { resume: session, forkSession: true }),
});
for await (const message of forked) {
  show(message);
  if (message.type === "result") show({ same: message.session_id === session });
}
show({ sessions: (await sdk.listSessions({ dir: options("fork").cwd })).length });
