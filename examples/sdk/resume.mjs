import { options, sdk, show } from "./setup.mjs";

// A second process resumes the session of the first one.
let session;
for await (const message of sdk.query({ prompt: "My name is Ada.", options: options("resume") })) {
  show(message);
  if (message.type === "result") session = message.session_id;
}
const again = sdk.query({
  prompt: "What is my name?",
  options: options("resume-again", { resume: session }),
});
for await (const message of again) {
  show(message);
  if (message.type === "result") show({ same: message.session_id === session });
}
