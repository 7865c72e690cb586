import { options, prompt, sdk, show } from "./setup.mjs";

// Changes the model for the second prompt.
let answered = () => {};
async function* prompts() {
  yield prompt("One");
  await new Promise((resolve) => {
    answered = resolve;
  });
  yield prompt("Two");
}

const query = sdk.query({ prompt: prompts(), options: options("set-model", { model: "claude-sonnet-4-5" }) });
for await (const message of query) {
  show(message);
  if (message.type !== "result") continue;
  if (message.result === "One.") await query.setModel("claude-haiku-4-5");
  answered();
}
