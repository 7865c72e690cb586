import { options, prompt, sdk, show } from "./setup.mjs";

// Sends prompts as a stream: the second one follows the first answer.
let answered = () => {};
async function* prompts() {
  yield prompt("My name is Ada.");
  await new Promise((resolve) => {
    answered = resolve;
  });
  yield prompt("What is my name?");
}

for await (const message of sdk.query({ prompt: prompts(), options: options("streaming-input") })) {
  show(message);
  if (message.type === "result") answered();
}
