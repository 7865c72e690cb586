import { options, prompt, sdk, show } from "./setup.mjs";

// The first edit is denied and the second one is allowed, because the mode changes in between.
let answered = () => {};
async function* prompts() {
  yield prompt("Write it");
  await new Promise((resolve) => {
    answered = resolve;
  });
  yield prompt("Write it now");
}

const query = sdk.query({
  prompt: prompts(),
  options: options("set-permission-mode", { permissionMode: "default" }),
});
let results = 0;
for await (const message of query) {
  show(message);
  if (message.type !== "result") continue;
  if (++results === 1) await query.setPermissionMode("acceptEdits");
  answered();
}
